/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of what must abort. */
#ifndef OY_TESTS_DEATH_H
#define OY_TESTS_DEATH_H

#include <stdbool.h>

/* Runs the function in a child; true if it ended by SIGABRT and had said `words` on standard error. */
bool oy_dies_with(void (*function)(void *user), void *user, const char *words);

#endif
