/* SPDX-License-Identifier: Apache-2.0 */
/* Names and sentences of errors and codes, from the tables in oyez/types.h. */
#include <oyez/types.h>

const char *oyez_strerror(oyez_err err)
{
    switch (err) {
    case OYEZ_NO_ERR:
        return "no error";
#define ERR_TEXT(name, value, text)                                                                \
    case name:                                                                                     \
        return text;
        OYEZ_ERR_MAP(ERR_TEXT)
#undef ERR_TEXT
    }
    return "an error that this library does not know";
}

const char *oyez_err_name(oyez_err err)
{
    switch (err) {
    case OYEZ_NO_ERR:
        return "OYEZ_NO_ERR";
#define ERR_NAME(name, value, text)                                                                \
    case name:                                                                                     \
        return #name;
        OYEZ_ERR_MAP(ERR_NAME)
#undef ERR_NAME
    }
    return "OYEZ_UNKNOWN_ERR";
}

const char *oyez_code_name(oyez_code code)
{
    switch (code) {
#define CODE_NAME(name, value, text)                                                               \
    case name:                                                                                     \
        return text;
        OYEZ_CODE_MAP(CODE_NAME)
#undef CODE_NAME
    }
    return "UNKNOWN_CODE";
}
