/* SPDX-License-Identifier: Apache-2.0 */
/* Requests and replies of the benchmark, as messages and as bytes. */
#include "messages.h"

uint8_t bench_zeros[MAX_PAYLOAD];

const oyez_method bench_bytes_method = {
    OYEZ_METHOD_INIT,
    .path = GRPC_TESTING_BENCHMARK_SERVICE_UNARY_CALL_PATH,
};

void bench_fill_request(Grpc__Testing__SimpleRequest *request, Grpc__Testing__Payload *payload,
                        int32_t size, int32_t reply_size)
{
    grpc__testing__simple_request__init(request);
    grpc__testing__payload__init(payload);
    payload->body.data = bench_zeros;
    payload->body.len = (size_t)size;
    request->response_size = reply_size;
    request->payload = payload;
}

static oyez_err pack(const ProtobufCMessage *message, oyez_buffer *ret_buffer)
{
    oyez_block *block;
    size_t len = protobuf_c_message_get_packed_size(message);
    oyez_err err = oyez_block_new(NULL, len ? len : 1, &block);
    if (err)
        return err;
    (void)protobuf_c_message_pack(message, oyez_block_data(block));
    *ret_buffer = oyez_buffer_of_block(block, len);
    return OYEZ_NO_ERR;
}

oyez_err bench_pack_request(int32_t size, int32_t reply_size, oyez_buffer *ret_buffer)
{
    Grpc__Testing__SimpleRequest request;
    Grpc__Testing__Payload payload;
    bench_fill_request(&request, &payload, size, reply_size);
    return pack(&request.base, ret_buffer);
}

oyez_err bench_pack_reply(int32_t size, oyez_buffer *ret_buffer)
{
    Grpc__Testing__SimpleResponse reply = GRPC__TESTING__SIMPLE_RESPONSE__INIT;
    Grpc__Testing__Payload payload = GRPC__TESTING__PAYLOAD__INIT;
    payload.body.data = bench_zeros;
    payload.body.len = (size_t)size;
    reply.payload = &payload;
    return pack(&reply.base, ret_buffer);
}

static bool read_varint(const uint8_t **at, const uint8_t *end, uint64_t *ret_value)
{
    uint64_t value = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        uint8_t byte = *(*at)++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *ret_value = value;
            return true;
        }
    }
    return false;
}

bool bench_reply_size_of(const uint8_t *data, size_t len, int32_t *ret_size)
{
    const uint8_t *at = data, *end = data + len;
    *ret_size = 0;
    while (at < end) {
        uint64_t tag, value;
        if (!read_varint(&at, end, &tag))
            return false;
        if ((tag & 7) == 0) {
            if (!read_varint(&at, end, &value))
                return false;
            if (tag >> 3 == 2)
                *ret_size = (int32_t)(uint32_t)value;
            continue;
        }
        if ((tag & 7) == 2) {
            if (!read_varint(&at, end, &value) || value > (size_t)(end - at))
                return false;
        } else {
            value = (tag & 7) == 1 ? 8 : 4;
            if (((tag & 7) != 1 && (tag & 7) != 5) || value > (size_t)(end - at))
                return false;
        }
        at += value;
    }
    return true;
}
