/* SPDX-License-Identifier: Apache-2.0 */
/* Command-line flags of the interop and benchmark programs, written as other implementations take
 * them: --name=value, -name=value, --name value; a boolean alone means true. What is unknown is
 * refused in words. */
#ifndef OY_TEST_FLAGS_H
#define OY_TEST_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum oy_flag_kind {
    OY_FLAG_TEXT,    /* const char *: points into argv */
    OY_FLAG_BOOL,    /* bool */
    OY_FLAG_INT,     /* int, from `least` to `most` */
    OY_FLAG_SECONDS, /* double, 0 and more */
    OY_FLAG_WORD,    /* const char *: one of `words`, which are separated by '|' */
    OY_FLAG_OFF,     /* known, but only false, "" or one of `words` can be had; `help` says why */
    OY_FLAG_IGNORED, /* known, and of no consequence here */
} oy_flag_kind;

typedef struct oy_flag {
    const char *name;
    oy_flag_kind kind;
    void *value; /* holds the default before, the value after */
    const char *help;
    int least, most;   /* of OY_FLAG_INT */
    const char *words; /* of OY_FLAG_WORD and OY_FLAG_OFF */
} oy_flag;

typedef enum oy_flags_result {
    OY_FLAGS_GO,    /* all is well */
    OY_FLAGS_HELP,  /* help was asked for, and has been printed */
    OY_FLAGS_WRONG, /* it has been said on standard error what is wrong */
} oy_flags_result;

/* Reads the command line. `about`: one line on what the program is. */
oy_flags_result oy_flags_parse(const oy_flag *flags, size_t count, const char *about, int argc,
                               char **argv);

#endif
