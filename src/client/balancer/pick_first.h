/* SPDX-License-Identifier: Apache-2.0 */
/* pick_first: one connection, to the first address that answers (gRFC A61, A62). */
#ifndef OY_CLIENT_PICK_FIRST_H
#define OY_CLIENT_PICK_FIRST_H

#include "client/balancer/balancer.h"
#include "client/words.h"

/* The next address gets its chance after this, though the one before has not failed yet (RFC
 * 8305). */
#define OY_PICK_FIRST_DELAY (250 * OYEZ_MILLISECOND)

typedef struct oy_pick_first_entry {
    oy_address address;
    oy_subchannel *subchannel;
    oyez_connectivity state;
    bool failed; /* in the present pass */
} oy_pick_first_entry;

/* All zero but host and user is a balancer without addresses. Fields are private. */
typedef struct oy_pick_first {
    const oy_balancer_host *host;
    void *user;
    oy_pick_first_entry *entries;
    size_t count;
    size_t current; /* the pass has come to this one; `count`: all were tried */
    bool first_pass;
    size_t failures; /* behind the first pass, since TRANSIENT_FAILURE was last reported */
    oyez_connectivity state;
    char words[OY_WORDS_MAX]; /* of the last failure */
} oy_pick_first;

void oy_pick_first_init(oy_pick_first *pick, const oy_balancer_host *host, void *user);
/* Frees the subchannels. */
void oy_pick_first_fini(oy_pick_first *pick);

/* The resolver's list, at least one address. OYEZ_ENOMEM: nothing has changed. */
oyez_err oy_pick_first_set_addresses(oy_pick_first *pick, const oy_address *addresses, size_t count,
                                     int64_t now);
/* The resolver has failed: what it found before stays in use. */
void oy_pick_first_resolver_failed(oy_pick_first *pick, const char *words);
/* Somebody wants a connection: leaves IDLE. */
void oy_pick_first_exit_idle(oy_pick_first *pick, int64_t now);
/* News of a subchannel: READY, TRANSIENT_FAILURE (its pause begins), or IDLE (the pause or the
 * connection is over). */
void oy_pick_first_on_state(oy_pick_first *pick, oy_subchannel *subchannel, oyez_connectivity state,
                            const char *words, int64_t now);
/* The timer has fired. */
void oy_pick_first_on_timer(oy_pick_first *pick, int64_t now);

#endif
