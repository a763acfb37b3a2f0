/* SPDX-License-Identifier: Apache-2.0 */
/* The last words of a process in which something impossible has happened. */
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

void oy_panic(const char *file, int line, const char *words)
{
    fprintf(stderr, "oyez: %s:%d: %s\n", file, line, words);
    fflush(stderr);
    abort();
}
