/* SPDX-License-Identifier: Apache-2.0 */
/* Fields through our encoder and back: ours against ours and, where it is at hand, against libnghttp2's
 * decoder. Fields whose generation still holds are sent again as they are.
 *
 * Input: the encoder's table size in units of 64 bytes, then a program of one-byte commands with
 * arguments (see `run`). What is missing at the end counts as zero. */
#include <stdlib.h>

#include "hpack/hpack.h"
#include "support/hpack_fields.h"
#if defined(OY_FUZZ_NGHTTP2)
#include "hpack/test_nghttp2.h"
#endif

int oy_fuzz_hpack_roundtrip(const uint8_t *data, size_t len);

typedef struct trip {
    const uint8_t *at, *end;
    oy_hpack_encoder *encoder;
    oy_hpack_decoder *decoder;
#if defined(OY_FUZZ_NGHTTP2)
    nghttp2_hd_inflater *inflater;
#endif
    size_t len;          /* of the block so far */
    size_t fields_at;    /* where its first field begins */
    size_t kept_len;     /* fields that may be sent again while their generation lives */
    uint32_t generation; /* theirs */
} trip;

#define BLOCK_MAX 32768u
#define KEPT_MAX  1024u /* sent again and again: keeps an input from costing its square */

static uint8_t block[BLOCK_MAX], kept[KEPT_MAX];
static test_fields wanted, got, kept_fields;

static void require(bool truth)
{
    if (!truth)
        abort();
}

static uint8_t next_byte(trip *state)
{
    return state->at < state->end ? *state->at++ : 0;
}

/* A string out of the input, or of one letter when the first byte says so: long ones are then cheap. */
static oyez_str next_string(trip *state)
{
    static char letters[16384];
    size_t len = next_byte(state);
    if (len >= 0xf0) {
        len = (len - 0xf0) << 8 | next_byte(state);
        if (letters[0] == 0)
            memset(letters, 'a', sizeof(letters));
        return (oyez_str){letters, len};
    }
    len &= 0x1f;
    if (len > (size_t)(state->end - state->at))
        len = (size_t)(state->end - state->at);
    oyez_str text = {(const char *)state->at, len};
    state->at += len;
    return text;
}

static void check_block(trip *state)
{
    oy_hpack_result result;
    const char *words;

    test_fields_clear(&got);
    require(oy_hpack_decode(state->decoder, block, state->len, test_fields_collect, &got, &result,
                            &words) == 0);
    require(test_fields_equal(&got, &wanted));
#if defined(OY_FUZZ_NGHTTP2)
    test_fields_clear(&got);
    require(test_nghttp2_inflate(state->inflater, block, state->len, &got));
    require(test_fields_equal(&got, &wanted));
#endif
}

static void begin_block(trip *state)
{
    test_fields_clear(&wanted);
    state->fields_at = state->len = oy_hpack_encode_begin(state->encoder, block);
    require(state->len <= OY_HPACK_BEGIN_MAX);
}

static void add_field(trip *state, oy_hpack_mode mode)
{
    oyez_str name = next_string(state), value = next_string(state);
    const size_t most = oy_hpack_field_max(name.len, value.len);
    if (most > BLOCK_MAX - OY_HPACK_BEGIN_MAX - state->len || wanted.bytes_used > BLOCK_MAX)
        return;
    size_t len = oy_hpack_encode(state->encoder, name, value, mode, block + state->len);
    require(len <= most);
    state->len += len;
    test_fields_add(&wanted, name, value)->never_index = mode == OY_HPACK_NEVER;
}

/* Ends the block and remembers its fields, as a caller with a cache would. */
static void end_block(trip *state, bool keep)
{
    check_block(state);
    if (!keep || state->len > KEPT_MAX || wanted.bytes_used > 2 * KEPT_MAX)
        return;
    state->generation = oy_hpack_encoder_generation(state->encoder);
    state->kept_len = state->len - state->fields_at;
    memcpy(kept, block + state->fields_at, state->kept_len);
    test_fields_clear(&kept_fields);
    for (size_t i = 0; i < wanted.count; i++)
        test_fields_add(&kept_fields, wanted.list[i].name, wanted.list[i].value)->never_index =
            wanted.list[i].never_index;
}

static void send_again(trip *state, bool ask_before_begin)
{
    bool valid = state->generation == oy_hpack_encoder_generation(state->encoder);
    if (ask_before_begin && !valid)
        return;
    begin_block(state);
    if (!ask_before_begin)
        valid = state->generation == oy_hpack_encoder_generation(state->encoder);
    if (valid) {
        memcpy(block + state->len, kept, state->kept_len);
        state->len += state->kept_len;
        for (size_t i = 0; i < kept_fields.count; i++)
            test_fields_add(&wanted, kept_fields.list[i].name, kept_fields.list[i].value)
                ->never_index = kept_fields.list[i].never_index;
    }
    check_block(state);
}

static void set_limit(trip *state)
{
    const uint32_t limit = (uint32_t)next_byte(state) * 64;
    oy_hpack_encoder_set_peer_limit(state->encoder, limit);
#if defined(OY_FUZZ_NGHTTP2)
    require(nghttp2_hd_inflate_change_table_size(state->inflater, limit) == 0);
#endif
}

static void run(trip *state)
{
    bool open = false;

    while (state->at < state->end) {
        const uint8_t command = next_byte(state) & 7;
        if (command < 4) {
            if (!open)
                begin_block(state);
            open = true;
            add_field(state, command == 3 ? OY_HPACK_INDEX : (oy_hpack_mode)command);
            continue;
        }
        if (open)
            end_block(state, command != 4);
        open = false;
        if (command == 6)
            set_limit(state);
        if (command == 5 || command == 7)
            send_again(state, command == 5);
    }
    if (open)
        end_block(state, false);
}

int oy_fuzz_hpack_roundtrip(const uint8_t *data, size_t len)
{
    const oy_hpack_decoder_limits limits = {1u << 14, UINT32_MAX, 2};
    trip state = {.at = data, .end = data ? data + len : data};

    require(oy_hpack_encoder_new((uint32_t)next_byte(&state) * 64, &state.encoder) == 0);
    require(oy_hpack_decoder_new(&limits, &state.decoder) == 0);
#if defined(OY_FUZZ_NGHTTP2)
    require(nghttp2_hd_inflate_new(&state.inflater) == 0);
#endif
    run(&state);
#if defined(OY_FUZZ_NGHTTP2)
    nghttp2_hd_inflate_del(state.inflater);
#endif
    oy_hpack_encoder_free(state.encoder);
    oy_hpack_decoder_free(state.decoder);
    return 0;
}
