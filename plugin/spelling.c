/* SPDX-License-Identifier: Apache-2.0 */
/* Spelling of names. What protobuf-c does with a name is its interface: the generated code of both must
 * meet, so its rules are followed to the letter, odd ones included ("HTTPReq" becomes "httpreq"). */
#include "spelling.h"

#include <ctype.h>
#include <string.h>

static char to_lower(char c)
{
    return (char)tolower((unsigned char)c);
}

static char to_upper(char c)
{
    return (char)toupper((unsigned char)c);
}

static bool is_upper(char c)
{
    return isupper((unsigned char)c) != 0;
}

static bool is_lower(char c)
{
    return islower((unsigned char)c) != 0;
}

static bool is_digit(char c)
{
    return isdigit((unsigned char)c) != 0;
}

/* A word begins at name[i]: after a lower-case letter or digit, or where an abbreviation ends. */
static bool begins_word(const char *name, size_t i)
{
    if (i == 0 || !is_upper(name[i]))
        return false;
    if (is_lower(name[i - 1]) || is_digit(name[i - 1]))
        return true;
    return is_upper(name[i - 1]) && is_lower(name[i + 1]);
}

char *spell_snake(const char *name)
{
    text t = {0};
    for (size_t i = 0; name[i]; i++) {
        char c = name[i] == '.' ? '_' : to_lower(name[i]);
        if (begins_word(name, i))
            text_add(&t, "_", 1);
        text_add(&t, &c, 1);
    }
    return str_dup(text_of(&t));
}

char *spell_upper(const char *name)
{
    char *upper = str_dup(name);
    for (char *c = upper; *c; c++)
        *c = to_upper(*c);
    return upper;
}

static bool is_in(const char *const *list, const char *name)
{
    for (; *list; list++)
        if (strcmp(*list, name) == 0)
            return true;
    return false;
}

bool spell_is_taken(const char *name)
{
    /* C up to C23, C++ up to C++20, and macros in lower case that headers define */
    static const char *const list[] = {
        "alignas",
        "alignof",
        "and",
        "and_eq",
        "asm",
        "auto",
        "bitand",
        "bitor",
        "bool",
        "break",
        "case",
        "catch",
        "char",
        "char16_t",
        "char32_t",
        "char8_t",
        "class",
        "co_await",
        "co_return",
        "co_yield",
        "compl",
        "complex",
        "concept",
        "const",
        "const_cast",
        "consteval",
        "constexpr",
        "constinit",
        "continue",
        "decltype",
        "default",
        "delete",
        "do",
        "double",
        "dynamic_cast",
        "else",
        "enum",
        "errno",
        "explicit",
        "export",
        "extern",
        "false",
        "float",
        "for",
        "friend",
        "goto",
        "if",
        "imaginary",
        "inline",
        "int",
        "linux",
        "long",
        "mutable",
        "namespace",
        "new",
        "noexcept",
        "noreturn",
        "not",
        "not_eq",
        "nullptr",
        "operator",
        "or",
        "or_eq",
        "private",
        "protected",
        "public",
        "register",
        "reinterpret_cast",
        "requires",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "static_assert",
        "static_cast",
        "stderr",
        "stdin",
        "stdout",
        "struct",
        "switch",
        "template",
        "this",
        "thread_local",
        "throw",
        "true",
        "try",
        "typedef",
        "typeid",
        "typename",
        "typeof",
        "typeof_unqual",
        "union",
        "unix",
        "unsigned",
        "using",
        "virtual",
        "void",
        "volatile",
        "wchar_t",
        "while",
        "xor",
        "xor_eq",
        NULL,
    };
    return is_in(list, name);
}

bool spell_breaks_member(const char *name)
{
    /* those of the list above that protobuf-c does not know and that are an error in C */
    static const char *const list[] = {
        "alignas", "alignof",       "complex", "constexpr", "errno",         "imaginary",
        "linux",   "noreturn",      "nullptr", "restrict",  "static_assert", "thread_local",
        "typeof",  "typeof_unqual", "unix",    NULL,
    };
    return is_in(list, name);
}

bool spell_is_prefix(const char *name)
{
    if (!is_lower(name[0]))
        return false;
    for (size_t i = 0; name[i]; i++)
        if (!is_lower(name[i]) && !is_digit(name[i]) && (name[i] != '_' || name[i + 1] == '_'))
            return false;
    return name[strlen(name) - 1] != '_';
}

char *spell_pbc_type(const char *full_name)
{
    text t = {0};
    bool begins = true;
    for (; *full_name; full_name++) {
        char c = begins ? to_upper(*full_name) : *full_name;
        begins = *full_name == '_' || *full_name == '.';
        if (*full_name == '.')
            text_puts(&t, "__");
        else if (*full_name != '_')
            text_add(&t, &c, 1);
    }
    return str_dup(text_of(&t));
}

char *spell_pbc_lower(const char *full_name)
{
    text t = {0};
    bool was_upper = true;
    for (; *full_name; full_name++) {
        char c = to_lower(*full_name);
        if (*full_name == '.') {
            text_puts(&t, "__");
            was_upper = true;
            continue;
        }
        if (is_upper(*full_name) && !was_upper)
            text_puts(&t, "_");
        was_upper = is_upper(*full_name);
        text_add(&t, &c, 1);
    }
    return str_dup(text_of(&t));
}

char *spell_guard(const char *file)
{
    text t = {0};
    for (; *file; file++) {
        if (isalnum((unsigned char)*file) || *file == '_')
            text_add(&t, file, 1);
        else
            text_puts(&t, str_printf("_%02x", (unsigned char)*file));
    }
    return str_dup(text_of(&t));
}
