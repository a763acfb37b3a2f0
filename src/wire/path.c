/* SPDX-License-Identifier: Apache-2.0 */
/* :path of a request. What an interceptor decides on must be, byte for byte, what the dispatch
 * uses; so there is one accepted form and nothing is repaired: "pkg.Svc/M" without its slash,
 * doubled slashes, a slash at the end are refused here, once, for everybody. */
#include "wire/wire.h"

#include <string.h>

bool oy_path_split(oyez_str path, oyez_str *ret_service, oyez_str *ret_method)
{
    if (path.len == 0 || path.data[0] != '/')
        return false;
    const char *service = path.data + 1;
    const char *end = path.data + path.len;
    const char *slash = memchr(service, '/', path.len - 1);
    if (!slash || slash == service || slash + 1 == end)
        return false;
    const char *method = slash + 1;
    if (memchr(method, '/', (size_t)(end - method)))
        return false;
    *ret_service = (oyez_str){service, (size_t)(slash - service)};
    *ret_method = (oyez_str){method, (size_t)(end - method)};
    return true;
}
