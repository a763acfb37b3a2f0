/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes go through a reader on one side, through the writer on the other: a copy each way. */
#include "noop.h"

#include <stdlib.h>

typedef struct noop_state {
    oyez_reader reader;
    bool reading;
} noop_state;

static oyez_err noop_open(void *self, bool decompresses, void **ret_state)
{
    (void)self;
    (void)decompresses;
    *ret_state = calloc(1, sizeof(noop_state));
    return *ret_state ? OYEZ_NO_ERR : OYEZ_ENOMEM;
}

static void noop_drop(noop_state *s)
{
    if (s->reading)
        oyez_reader_fini(&s->reader);
    s->reading = false;
}

static void noop_close(void *self, bool decompresses, void *state)
{
    (void)self;
    (void)decompresses;
    noop_drop(state);
    free(state);
}

static oyez_err noop_compress(void *self, void *state, const oyez_slice *message,
                              oyez_writer *writer)
{
    oyez_err err = OYEZ_NO_ERR;
    const oyez_buffer *items = oyez_slice_items(message);
    (void)self;
    (void)state;
    for (uint32_t i = 0; i < message->count && !err; i++)
        err = oyez_writer_write(writer, items[i].data, items[i].len);
    return err;
}

static oyez_err noop_read(void *self, void *dst, size_t cap, size_t *ret_len)
{
    noop_state *s = self;
    oyez_err err = oyez_reader_read(&s->reader, dst, cap, ret_len);
    if (err)
        noop_drop(s);
    return err;
}

static oyez_err noop_decompress(void *self, void *state, const oyez_slice *message,
                                oyez_source *ret_source)
{
    noop_state *s = state;
    (void)self;
    noop_drop(s);
    oyez_err err = oyez_reader_init(&s->reader, message);
    s->reading = !err;
    *ret_source = (oyez_source){noop_read, s};
    return err;
}

oyez_compressor bench_noop(const char *name)
{
    return (oyez_compressor){
        OYEZ_COMPRESSOR_INIT,      .name = name,
        .open = noop_open,         .close = noop_close,
        .compress = noop_compress, .decompress = noop_decompress,
    };
}
