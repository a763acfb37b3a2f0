/* SPDX-License-Identifier: Apache-2.0 */
/* Names of error codes and frame types, for messages that people read. */
#include "h2/frame.h"

const char *oy_h2_code_name(uint32_t code)
{
    static const char *const names[] = {
#define OY_H2_ERROR_NAME(name, value) [value] = #name,
        OY_H2_ERROR_MAP(OY_H2_ERROR_NAME)
#undef OY_H2_ERROR_NAME
    };

    return code < sizeof(names) / sizeof(names[0]) ? names[code] : "unknown error code";
}

const char *oy_h2_frame_name(uint32_t type)
{
    static const char *const names[] = {
        [OY_H2_FRAME_DATA] = "DATA",
        [OY_H2_FRAME_HEADERS] = "HEADERS",
        [OY_H2_FRAME_PRIORITY] = "PRIORITY",
        [OY_H2_FRAME_RST_STREAM] = "RST_STREAM",
        [OY_H2_FRAME_SETTINGS] = "SETTINGS",
        [OY_H2_FRAME_PUSH_PROMISE] = "PUSH_PROMISE",
        [OY_H2_FRAME_PING] = "PING",
        [OY_H2_FRAME_GOAWAY] = "GOAWAY",
        [OY_H2_FRAME_WINDOW_UPDATE] = "WINDOW_UPDATE",
        [OY_H2_FRAME_CONTINUATION] = "CONTINUATION",
    };

    return type < sizeof(names) / sizeof(names[0]) ? names[type] : "unknown frame type";
}
