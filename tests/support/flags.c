/* SPDX-License-Identifier: Apache-2.0 */
/* Flags by a table: finds the name, takes the value, checks it. */
#include "support/flags.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool equals(const char *text, size_t len, const char *word)
{
    return strlen(word) == len && memcmp(text, word, len) == 0;
}

static const oy_flag *find(const oy_flag *flags, size_t count, const char *name, size_t len)
{
    for (size_t i = 0; i < count; i++)
        if (equals(name, len, flags[i].name))
            return &flags[i];
    return NULL;
}

static bool parse_bool(const char *text, bool *ret_value)
{
    static const char *const names[2][4] = {{"false", "0", "f", "False"},
                                            {"true", "1", "t", "True"}};
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 4; j++)
            if (strcmp(text, names[i][j]) == 0) {
                *ret_value = i == 1;
                return true;
            }
    return false;
}

static bool is_word(const char *text, const char *words)
{
    while (words) {
        const char *end = strchr(words, '|');
        if (equals(words, end ? (size_t)(end - words) : strlen(words), text))
            return true;
        words = end ? end + 1 : NULL;
    }
    return false;
}

static bool set_int(const oy_flag *flag, const char *text)
{
    char *end;
    errno = 0;
    intmax_t value = strtoimax(text, &end, 10);
    if (errno || end == text || *end != '\0' || value < flag->least || value > flag->most) {
        fprintf(stderr, "--%s=%s: a number from %d to %d is wanted\n", flag->name, text,
                flag->least, flag->most);
        return false;
    }
    *(int *)flag->value = (int)value;
    return true;
}

static bool set_seconds(const oy_flag *flag, const char *text)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (errno || end == text || *end != '\0' || !isfinite(value) || value < 0 || value > 1e6) {
        fprintf(stderr, "--%s=%s: seconds are wanted, 0 to 1000000\n", flag->name, text);
        return false;
    }
    *(double *)flag->value = value;
    return true;
}

static bool is_off(const oy_flag *flag, const char *text)
{
    bool on;
    return text[0] == '\0' || (flag->words && is_word(text, flag->words)) ||
           (parse_bool(text, &on) && !on);
}

static bool set(const oy_flag *flag, const char *text)
{
    switch (flag->kind) {
    case OY_FLAG_TEXT:
        *(const char **)flag->value = text;
        return true;
    case OY_FLAG_BOOL:
        if (parse_bool(text, flag->value))
            return true;
        fprintf(stderr, "--%s=%s: true or false is wanted\n", flag->name, text);
        return false;
    case OY_FLAG_INT:
        return set_int(flag, text);
    case OY_FLAG_SECONDS:
        return set_seconds(flag, text);
    case OY_FLAG_WORD:
        if (is_word(text, flag->words)) {
            *(const char **)flag->value = text;
            return true;
        }
        fprintf(stderr, "--%s=%s: wanted is one of %s\n", flag->name, text, flag->words);
        return false;
    case OY_FLAG_OFF:
        if (is_off(flag, text))
            return true;
        fprintf(stderr, "--%s=%s: %s\n", flag->name, text, flag->help);
        return false;
    case OY_FLAG_IGNORED:
        return true;
    }
    return false;
}

/* A boolean takes its value only by '='. */
static bool may_stand_alone(const oy_flag *flag, const char *next)
{
    bool any;
    if (flag->kind == OY_FLAG_BOOL)
        return true;
    return (flag->kind == OY_FLAG_OFF || flag->kind == OY_FLAG_IGNORED) &&
           (!next || next[0] == '-' || parse_bool(next, &any));
}

static void print_help(const oy_flag *flags, size_t count, const char *about)
{
    printf("%s\n", about);
    for (size_t i = 0; i < count; i++)
        printf("  --%-30s %s%s%s\n", flags[i].name, flags[i].help ? flags[i].help : "",
               flags[i].kind == OY_FLAG_WORD ? ": " : "",
               flags[i].kind == OY_FLAG_WORD ? flags[i].words : "");
}

oy_flags_result oy_flags_parse(const oy_flag *flags, size_t count, const char *about, int argc,
                               char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (name[0] != '-') {
            fprintf(stderr, "%s: not a flag; flags are written --name=value\n", argv[i]);
            return OY_FLAGS_WRONG;
        }
        name += name[1] == '-' ? 2 : 1;
        const char *value = strchr(name, '=');
        size_t len = value ? (size_t)(value - name) : strlen(name);
        const oy_flag *flag = find(flags, count, name, len);
        if (!flag && (equals(name, len, "help") || equals(name, len, "h"))) {
            print_help(flags, count, about);
            return OY_FLAGS_HELP;
        }
        if (!flag) {
            fprintf(stderr, "%s: there is no such flag; --help names them\n", argv[i]);
            return OY_FLAGS_WRONG;
        }
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (value) {
            value++;
        } else if (may_stand_alone(flag, next)) {
            value = "true";
        } else if (next) {
            value = next;
            i++;
        } else {
            fprintf(stderr, "--%s: a value is missing\n", flag->name);
            return OY_FLAGS_WRONG;
        }
        if (!set(flag, value))
            return OY_FLAGS_WRONG;
    }
    return OY_FLAGS_GO;
}
