/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a -bin header: a walk ends, finds one value more than there are commas, and each good
 * one written again reads the same. And any bytes as a key, a content-type and a :path. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/base64.h"
#include "base/text.h"
#include "wire/wire.h"

int oy_fuzz_bin(const uint8_t *data, size_t len);

static void check(bool condition)
{
    if (!condition)
        abort();
}

static void check_value(const uint8_t *value, size_t len)
{
    size_t encoded_len = oy_base64_encoded_len(len);
    char *encoded = oy_alloc(encoded_len);
    uint8_t *back = oy_alloc(oy_base64_decoded_max(encoded_len));
    check(encoded && back);
    check(oy_base64_encode(value, len, encoded) == encoded_len);
    oyez_str rest = {encoded, encoded_len};
    size_t back_len;
    oyez_err err;
    check(oy_bin_next(&rest, back, &back_len, &err) && err == 0);
    check(back_len == len && (len == 0 || memcmp(back, value, len) == 0));
    check(!oy_bin_next(&rest, back, &back_len, &err));
    oy_free(encoded);
    oy_free(back);
}

static void check_other_rules(oyez_str text)
{
    oyez_str service, method, subtype;
    if (oy_path_split(text, &service, &method)) {
        check(service.len > 0 && method.len > 0 && service.len + method.len + 2 == text.len);
        check(!memchr(service.data, '/', service.len) && !memchr(method.data, '/', method.len));
    }
    if (oy_content_type_parse(text, &subtype))
        check(subtype.len <= text.len && !(subtype.len && memchr(subtype.data, ';', subtype.len)));
    if (oy_metadata_key_valid(text))
        check(oy_metadata_value_valid(text));
    uint32_t code;
    if (oy_status_parse(text, &code))
        check(code <= INT32_MAX);
}

int oy_fuzz_bin(const uint8_t *data, size_t len)
{
    oyez_str text = {(const char *)data, len};
    size_t commas = 0;
    for (size_t i = 0; i < len; i++)
        commas += data[i] == ',';
    oyez_str rest = text;
    size_t values = 0;
    for (;;) {
        size_t room = oy_base64_decoded_max(rest.len);
        uint8_t *value = oy_alloc(room);
        size_t value_len = 0;
        oyez_err err = 0;
        check(value != NULL);
        bool found = oy_bin_next(&rest, value, &value_len, &err);
        if (found && !err) {
            check(value_len <= room);
            check_value(value, value_len);
        }
        check(err == 0 || err == OYEZ_EINVAL);
        oy_free(value);
        if (!found)
            break;
        values++;
    }
    check(values == commas + 1);
    check_other_rules(text);
    return 0;
}
