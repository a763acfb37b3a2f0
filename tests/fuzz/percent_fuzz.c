/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a status message, both ways: what goes out is printable and in bounds, what comes in
 * is never an error, and well-formed text survives. The first byte chooses where the text is cut.
 * */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "wire/wire.h"

int oy_fuzz_percent(const uint8_t *data, size_t len);

static void check(bool condition)
{
    if (!condition)
        abort();
}

int oy_fuzz_percent(const uint8_t *data, size_t len)
{
    if (len < 1)
        return 0;
    size_t cut = data[0];
    oyez_str text = {(const char *)data + 1, len - 1};
    size_t max = oy_percent_encoded_max(text.len);
    char *encoded = oy_alloc(max + 1), *decoded = oy_alloc(max + 1), *cut_off = oy_alloc(cut + 1);
    check(encoded && decoded && cut_off);

    oyez_str out = {encoded, oy_percent_encode(text, encoded, max)};
    check(out.len <= max && out.len >= text.len);
    check(oy_metadata_value_valid(out));
    oyez_str back = {decoded, oy_percent_decode(out, decoded)};
    check(oy_utf8_valid(back));
    if (oy_utf8_valid(text))
        check(oy_str_eq(back, text));

    /* Cut short it is the beginning of the whole, and of whole characters. */
    size_t part = oy_percent_encode(text, cut_off, cut);
    check(part <= cut && part <= out.len);
    check(oy_str_starts(out, (oyez_str){cut_off, part}));
    check(part == out.len || cut - part < 12);
    back.len = oy_percent_decode((oyez_str){cut_off, part}, decoded);
    check(oy_utf8_valid(back));

    /* As it came from a peer. */
    back.len = oy_percent_decode(text, decoded);
    check(back.len <= text.len);

    oy_free(encoded);
    oy_free(decoded);
    oy_free(cut_off);
    return 0;
}
