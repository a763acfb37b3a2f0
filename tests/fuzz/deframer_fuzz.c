/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the DATA of a stream: the same messages and the same end must come out whether they
 * come at once or in pieces, and no more memory may be held than has come.
 *
 * The first two bytes choose the cuts and the limit; the rest is the stream. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/random.h"
#include "wire/wire.h"

int oy_fuzz_deframer(const uint8_t *data, size_t len);

/* What came out of a run, in short. */
typedef struct outcome {
    uint64_t digest;
    size_t messages;
    oy_deframe_result end;
    bool inside;
} outcome;

static void check(bool condition)
{
    if (!condition)
        abort();
}

static void note_message(outcome *so_far, const oy_message *message)
{
    uint8_t *flat = oy_alloc(message->bytes.len);
    check(flat != NULL);
    check(oyez_slice_copy_to(&message->bytes, flat, message->bytes.len) == message->bytes.len);
    so_far->digest = oy_hash(flat, message->bytes.len, so_far->digest + message->compressed);
    so_far->messages++;
    oy_free(flat);
}

static outcome run(const uint8_t *data, size_t len, uint32_t max_bytes, oy_random *cuts,
                   oyez_pool *pool)
{
    outcome result = {0};
    oy_quota quota = {.limit = SIZE_MAX, .refs = {1}};
    oy_deframer deframer;
    oy_deframer_init(&deframer, max_bytes, pool, &quota);
    result.end = OY_DEFRAME_MORE;
    while (len > 0 && result.end == OY_DEFRAME_MORE) {
        size_t n =
            cuts ? 1 + (size_t)(oy_random_next(cuts) % (oy_random_next(cuts) % 8 ? 9 : 9000)) : len;
        if (n > len)
            n = len;
        oyez_buffer input;
        check(oyez_buffer_copy(pool, data, n, &input) == 0);
        oyez_buffer view = input;
        oy_message message;
        while ((result.end = oy_deframe(&deframer, &view, &message)) == OY_DEFRAME_MESSAGE) {
            check(message.bytes.len <= max_bytes);
            check(oy_message_keep(&message, pool, &quota) == 0);
            note_message(&result, &message);
            oy_message_fini(&message);
        }
        check(result.end != OY_DEFRAME_NO_MEMORY);
        check(result.end != OY_DEFRAME_MORE || view.len == 0);
        /* Each 4 KiB piece may pin its own block, a copied rest one more. */
        check(atomic_load(&quota.used) <=
              8 * (deframer.message.bytes.len + 2 * OY_KEEP_COPY_BYTES));
        oyez_buffer_fini(&input);
        data += n;
        len -= n;
    }
    result.inside = oy_deframer_is_inside(&deframer);
    oy_deframer_fini(&deframer);
    check(atomic_load(&quota.used) == 0);
    return result;
}

int oy_fuzz_deframer(const uint8_t *data, size_t len)
{
    if (len < 2)
        return 0;
    oy_random cuts = {data[0]};
    uint32_t max_bytes = data[1] == 0xff ? UINT32_MAX : (uint32_t)data[1] * 64;
    data += 2;
    len -= 2;
    oyez_pool *pool;
    check(oyez_pool_new(NULL, &pool) == 0);
    outcome whole = run(data, len, max_bytes, NULL, pool);
    outcome pieces = run(data, len, max_bytes, &cuts, pool);
    check(whole.digest == pieces.digest && whole.messages == pieces.messages);
    check(whole.end == pieces.end && whole.inside == pieces.inside);
    oyez_pool_stats stats;
    oyez_pool_get_stats(pool, &stats);
    check(stats.gets == stats.puts);
    oyez_pool_unref(pool);
    return 0;
}
