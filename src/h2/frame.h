/* SPDX-License-Identifier: Apache-2.0 */
/* The frame as bytes: nine bytes of header in and out, and the numbers of types and flags
 * (RFC 9113 sections 4.1 and 6). */
#ifndef OY_H2_FRAME_H
#define OY_H2_FRAME_H

#include "h2/h2.h"

typedef enum oy_h2_frame_type {
    OY_H2_FRAME_DATA = 0,
    OY_H2_FRAME_HEADERS = 1,
    OY_H2_FRAME_PRIORITY = 2,
    OY_H2_FRAME_RST_STREAM = 3,
    OY_H2_FRAME_SETTINGS = 4,
    OY_H2_FRAME_PUSH_PROMISE = 5,
    OY_H2_FRAME_PING = 6,
    OY_H2_FRAME_GOAWAY = 7,
    OY_H2_FRAME_WINDOW_UPDATE = 8,
    OY_H2_FRAME_CONTINUATION = 9, /* the last type that is known here */
} oy_h2_frame_type;

#define OY_H2_FLAG_ACK         0x01u
#define OY_H2_FLAG_END_STREAM  0x01u
#define OY_H2_FLAG_END_HEADERS 0x04u
#define OY_H2_FLAG_PADDED      0x08u
#define OY_H2_FLAG_PRIORITY    0x20u

typedef enum oy_h2_setting {
    OY_H2_SETTING_HEADER_TABLE_SIZE = 1,
    OY_H2_SETTING_ENABLE_PUSH = 2,
    OY_H2_SETTING_MAX_CONCURRENT_STREAMS = 3,
    OY_H2_SETTING_INITIAL_WINDOW_SIZE = 4,
    OY_H2_SETTING_MAX_FRAME_SIZE = 5,
    OY_H2_SETTING_MAX_HEADER_LIST_SIZE = 6,
} oy_h2_setting;

/* What a client sends first (RFC 9113 section 3.4). */
#define OY_H2_PREFACE       "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
#define OY_H2_PREFACE_BYTES 24u

typedef struct oy_h2_frame {
    uint32_t length;
    uint32_t stream_id;
    uint8_t type, flags;
} oy_h2_frame;

static inline uint16_t oy_h2_get_u16(const uint8_t *from)
{
    return (uint16_t)((uint32_t)from[0] << 8 | from[1]);
}

static inline uint32_t oy_h2_get_u32(const uint8_t *from)
{
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

static inline void oy_h2_put_u16(uint8_t *to, uint16_t value)
{
    to[0] = (uint8_t)(value >> 8);
    to[1] = (uint8_t)value;
}

static inline void oy_h2_put_u32(uint8_t *to, uint32_t value)
{
    to[0] = (uint8_t)(value >> 24);
    to[1] = (uint8_t)(value >> 16);
    to[2] = (uint8_t)(value >> 8);
    to[3] = (uint8_t)value;
}

/* The reserved bit of the stream id is ignored (RFC 9113 section 4.1). */
static inline oy_h2_frame oy_h2_frame_parse(const uint8_t *from)
{
    oy_h2_frame frame;
    frame.length = oy_h2_get_u32(from) >> 8;
    frame.type = from[3];
    frame.flags = from[4];
    frame.stream_id = oy_h2_get_u32(from + 5) & OY_H2_MAX_STREAM_ID;
    return frame;
}

static inline void oy_h2_frame_write(uint8_t *to, uint32_t length, uint8_t type, uint32_t flags,
                                     uint32_t stream_id)
{
    oy_h2_put_u32(to, length << 8 | type);
    to[4] = (uint8_t)flags;
    oy_h2_put_u32(to + 5, stream_id);
}

/* "HEADERS"; "unknown frame type" for others. Static. */
const char *oy_h2_frame_name(uint32_t type);

#endif
