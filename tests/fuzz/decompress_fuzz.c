/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a compressed message: the same comes out whether they lie in one buffer or in many, with a state that has
 * been used before; never more than the limit, and no more memory than that.
 *
 * The first byte chooses the compressor, the second the limit and the cuts; the rest is the message. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/random.h"
#include "call/compressors.h"

int oy_fuzz_decompress(const uint8_t *data, size_t len);

typedef struct outcome {
    oyez_code code;
    size_t len;
    uint64_t digest;
} outcome;

static void check(bool condition)
{
    if (!condition)
        abort();
}

static outcome run(const oy_compressors *all, oyez_str name, const uint8_t *data, size_t len, size_t limit,
                   oy_random *cuts)
{
    char words[OY_COMPRESSION_WORDS] = "";
    oy_message message = { .bytes = OYEZ_SLICE_INIT, .compressed = true };
    outcome result = { OYEZ_OK, 0, 0 };
    for (size_t at = 0; at < len;) {
        size_t part = cuts ? 1 + (size_t)(oy_random_next(cuts) % 17) : len;
        if (part > len - at)
            part = len - at;
        check(oyez_slice_append(&message.bytes, (oyez_buffer){ data + at, part, NULL }) == OYEZ_NO_ERR);
        at += part;
    }
    result.code = oy_message_unpack(all, name, NULL, limit, &message, words);
    result.len = message.bytes.len;
    check(result.len <= limit);
    check(result.code == OYEZ_OK || (result.len == 0 && words[0] != '\0'));
    size_t memory = 0;
    uint8_t *flat = oy_alloc(result.len + 1);
    check(flat != NULL);
    for (uint32_t i = 0; i < message.bytes.count; i++)
        memory += oyez_block_capacity(oyez_slice_items(&message.bytes)[i].block);
    check(memory <= limit);
    check(oyez_slice_copy_to(&message.bytes, flat, result.len + 1) == result.len);
    result.digest = oy_hash(flat, result.len, 1);
    oy_free(flat);
    oy_message_fini(&message);
    return result;
}

int oy_fuzz_decompress(const uint8_t *data, size_t len)
{
    static const oyez_str names[] = { { "gzip", 4 }, { "deflate", 7 }, { "zstd", 4 } };
    static const size_t limits[] = { 0, 1, 100, 4096, 32768, 100000, 1 << 20, 40000 };
    const char *words;
    oy_compressors *all;
    if (len < 2)
        return 0;
    const oyez_str name = names[data[0] % 3];
    const size_t limit = limits[data[1] % 8];
    oy_random cuts = { data[1] };
    check(oy_compressors_new(NULL, 0, &all, &words) == OYEZ_NO_ERR);
    if (oy_compressors_find(all, name)) {
        outcome whole = run(all, name, data + 2, len - 2, limit, NULL);
        outcome cut = run(all, name, data + 2, len - 2, limit, &cuts);
        check(whole.code == cut.code && whole.len == cut.len && whole.digest == cut.digest);
    }
    oy_compressors_unref(all);
    return 0;
}
