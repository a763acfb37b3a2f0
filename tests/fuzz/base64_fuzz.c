/* SPDX-License-Identifier: Apache-2.0 */
/* What base64 decodes is what it encodes; decoding stays within the room it asks for. */
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/base64.h"

int oy_fuzz_base64(const uint8_t *data, size_t len);

static void must(bool condition, const char *words)
{
    if (!condition)
        oy_panic(__FILE__, __LINE__, words);
}

/* The text as it came, decoded, must survive a round trip. */
static void decode(const uint8_t *data, size_t len)
{
    uint8_t *plain = oy_alloc(oy_base64_decoded_max(len));
    size_t plain_len = 0, again_len = 0;
    if (plain && !oy_base64_decode((oyez_str){ (const char *)data, len }, plain, &plain_len)) {
        size_t text_len = oy_base64_encoded_len(plain_len);
        char *text = oy_alloc(text_len);
        uint8_t *again = oy_alloc(oy_base64_decoded_max(text_len));
        must(plain_len <= oy_base64_decoded_max(len), "more decoded than announced");
        if (text && again) {
            must(oy_base64_encode(plain, plain_len, text) == text_len, "another encoded length");
            must(!oy_base64_decode((oyez_str){ text, text_len }, again, &again_len),
                 "own encoding refused");
            must(again_len == plain_len && memcmp(again, plain, plain_len) == 0,
                 "another text after a round trip");
        }
        oy_free(text);
        oy_free(again);
    }
    oy_free(plain);
}

/* Any bytes, encoded and decoded, are the same bytes. */
static void encode(const uint8_t *data, size_t len)
{
    size_t text_len = oy_base64_encoded_len(len), plain_len = 0;
    char *text = oy_alloc(text_len);
    uint8_t *plain = oy_alloc(oy_base64_decoded_max(text_len));
    if (text && plain) {
        must(oy_base64_encode(data, len, text) == text_len, "another encoded length");
        must(!oy_base64_decode((oyez_str){ text, text_len }, plain, &plain_len),
             "own encoding refused");
        must(plain_len == len && (len == 0 || memcmp(plain, data, len) == 0),
             "other bytes after a round trip");
    }
    oy_free(text);
    oy_free(plain);
}

int oy_fuzz_base64(const uint8_t *data, size_t len)
{
    decode(data, len);
    encode(data, len);
    return 0;
}
