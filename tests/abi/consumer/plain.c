/* SPDX-License-Identifier: Apache-2.0 */
/* The least that a user's program does with the library. */
#include <oyez/oyez.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    if (strcmp(oyez_code_name(OYEZ_NOT_FOUND), "NOT_FOUND") != 0)
        return 1;
    puts(oyez_strerror(OYEZ_EPROTO));
    return 0;
}
