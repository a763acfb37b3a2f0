/* SPDX-License-Identifier: Apache-2.0 */
/* content-type of requests and responses: application/grpc, "+subtype", ";parameters". Compared as
 * gRPC-Go does, with case; "application/grpcfoo" and "application/grpc-web" are something else. */
#include "wire/wire.h"

#include <string.h>

#include "base/text.h"

bool oy_content_type_parse(oyez_str text, oyez_str *ret_subtype)
{
    const oyez_str base = OYEZ_STR("application/grpc");
    if (!oy_str_starts(text, base))
        return false;
    oyez_str rest = {text.data + base.len, text.len - base.len};
    oyez_str subtype = {"", 0};
    if (rest.len > 0 && rest.data[0] == '+') {
        subtype = (oyez_str){rest.data + 1, rest.len - 1};
        const char *parameters = subtype.len > 0 ? memchr(subtype.data, ';', subtype.len) : NULL;
        if (parameters)
            subtype.len = (size_t)(parameters - subtype.data);
    } else if (rest.len > 0 && rest.data[0] != ';') {
        return false;
    }
    if (ret_subtype)
        *ret_subtype = subtype;
    return true;
}
