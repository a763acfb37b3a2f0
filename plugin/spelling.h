/* SPDX-License-Identifier: Apache-2.0 */
/* How names of a .proto are spelled in C: ours, and protobuf-c's. */
#ifndef PLUGIN_SPELLING_H
#define PLUGIN_SPELLING_H

#include "text.h"

/* Ours: "my.pkg.HTTPGet" is my_pkg_http_get. */
char *spell_snake(const char *name);
/* In upper case. */
char *spell_upper(const char *name);
/* True if a member of a struct cannot have this name in C or in C++. */
bool spell_is_taken(const char *name);
/* True if protobuf-c would write this name as a member and the compiler refuse it. */
bool spell_breaks_member(const char *name);
/* True for what an option may give as a prefix: lower-case letters, digits, single underscores. */
bool spell_is_prefix(const char *name);

/* protobuf-c's: "my_pkg.FooBar" is the type MyPkg__FooBar and begins my_pkg__foo_bar__ in functions. */
char *spell_pbc_type(const char *full_name);
char *spell_pbc_lower(const char *full_name);

/* What tells the header of a file from others: "x/y.proto" is x_2fy_2eproto. */
char *spell_guard(const char *file);

#endif
