/* SPDX-License-Identifier: Apache-2.0 */
/* What a channel is pointed at: "dns:///host:port" and its relatives (oyez_channel_new lists them),
 * taken apart and checked. No I/O. */
#ifndef OY_CLIENT_TARGET_H
#define OY_CLIENT_TARGET_H

#include "client/words.h"
#include "io/io.h"

#define OY_TARGET_DEFAULT_PORT 443u

/* Either `addresses` (nothing to look up) or `host` and `port`. */
typedef struct oy_target {
    char *text;      /* as it was given */
    char *authority; /* the default of `:authority` */
    oy_address *addresses;
    size_t address_count;
    char *host; /* NULL: there are addresses */
    uint16_t port;
    char *server; /* "address:port" of the DNS server to ask; NULL: the system's */
} oy_target;

/* OYEZ_ETARGET, OYEZ_ENAMETOOLONG (the path of a unix socket) or OYEZ_ENOMEM; words say more. */
oyez_err oy_target_parse(const char *text, oy_words words, oy_target *ret_target);
/* What no socket leads to. @param text what to call it */
oyez_err oy_target_inproc(const char *text, oy_target *ret_target);
/* NULL or zeroed is allowed. */
void oy_target_fini(oy_target *target);

#endif
