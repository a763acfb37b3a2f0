/* SPDX-License-Identifier: Apache-2.0 */
/* pick_first. A *pass* tries the addresses in order, the next one when the one before fails or
 * after 250 ms; the first that is READY wins, the others are let go. When all have failed the state
 * is TRANSIENT_FAILURE and stays so until one is READY (gRFC A62); meanwhile each address is tried
 * again as its pause ends. A lost connection makes it IDLE: the next call begins a new pass. */
#include "client/balancer/pick_first.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"

void oy_pick_first_init(oy_pick_first *pick, const oy_balancer_host *host, void *user)
{
    memset(pick, 0, sizeof(*pick));
    pick->host = host;
    pick->user = user;
    pick->state = OYEZ_CONNECTING;
}

static void free_entries(oy_pick_first *pick, oy_pick_first_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].subchannel)
            pick->host->subchannel_free(entries[i].subchannel);
    oy_free(entries);
}

void oy_pick_first_fini(oy_pick_first *pick)
{
    pick->host->set_timer(pick->user, OYEZ_FOREVER);
    free_entries(pick, pick->entries, pick->count);
    pick->entries = NULL;
    pick->count = 0;
}

/* Tells the host; nothing may follow in the caller. */
static void report(oy_pick_first *pick, oyez_connectivity state, oy_subchannel *ready)
{
    pick->state = state;
    pick->host->update(pick->user, state, ready, pick->words);
}

static void keep_words(oy_pick_first *pick, const char *words)
{
    if (words && words != pick->words)
        oy_words_set((oy_words){pick->words, sizeof(pick->words)}, "%s", words);
}

/* --- a pass ---------------------------------------------------------------------------------- */

static void connect_entry(oy_pick_first *pick, oy_pick_first_entry *entry)
{
    entry->state = OYEZ_CONNECTING;
    pick->host->subchannel_connect(entry->subchannel);
}

/* The pass is over when every address was tried and has failed. */
static void end_pass(oy_pick_first *pick)
{
    if (pick->current < pick->count)
        return;
    for (size_t i = 0; i < pick->count; i++)
        if (!pick->entries[i].failed)
            return;
    pick->first_pass = false;
    pick->failures = 0;
    for (size_t i = 0; i < pick->count; i++)
        if (pick->entries[i].state == OYEZ_IDLE) /* its pause has ended meanwhile */
            connect_entry(pick, &pick->entries[i]);
    report(pick, OYEZ_TRANSIENT_FAILURE, NULL);
}

/* Tries the present address, or the next that is not in its pause from a pass before. */
static void try_current(oy_pick_first *pick, int64_t now)
{
    for (; pick->current < pick->count; pick->current++) {
        oy_pick_first_entry *entry = &pick->entries[pick->current];
        if (entry->state == OYEZ_TRANSIENT_FAILURE) {
            entry->failed = true;
            continue;
        }
        if (entry->state == OYEZ_IDLE)
            connect_entry(pick, entry);
        if (pick->current + 1 < pick->count)
            pick->host->set_timer(pick->user, now + OY_PICK_FIRST_DELAY);
        return;
    }
    end_pass(pick);
}

static void begin_pass(oy_pick_first *pick, int64_t now)
{
    pick->host->set_timer(pick->user, OYEZ_FOREVER);
    pick->first_pass = true;
    pick->current = 0;
    for (size_t i = 0; i < pick->count; i++)
        pick->entries[i].failed = false;
    try_current(pick, now);
}

void oy_pick_first_exit_idle(oy_pick_first *pick, int64_t now)
{
    if (pick->state != OYEZ_IDLE)
        return;
    report(pick, OYEZ_CONNECTING, NULL);
    begin_pass(pick, now);
}

void oy_pick_first_on_timer(oy_pick_first *pick, int64_t now)
{
    if (!pick->first_pass || pick->current + 1 >= pick->count)
        return;
    pick->current++;
    try_current(pick, now);
}

/* --- addresses ------------------------------------------------------------------------------- */

static oy_pick_first_entry *find_address(oy_pick_first_entry *entries, size_t count,
                                         const oy_address *address)
{
    for (size_t i = 0; i < count; i++)
        if (oy_address_equal(&entries[i].address, address))
            return &entries[i];
    return NULL;
}

/* Which of the three sorts takes turns: IPv4, IPv6, others. */
static unsigned family_of(const oy_address *address)
{
    return address->any.sa_family == AF_INET ? 0 : address->any.sa_family == AF_INET6 ? 1 : 2;
}

/* Fills `entries` with the different ones among the addresses, families in turn, the family of the
 * first one first (RFC 8305 section 4). Returns how many. */
static size_t arrange(oy_pick_first_entry *entries, const oy_address *addresses, size_t count)
{
    unsigned order[3], families = 0;
    size_t next[3] = {0, 0, 0}, made = 0;

    for (size_t i = 0; i < count && families < 3; i++) {
        const unsigned family = family_of(&addresses[i]);
        bool known = false;
        for (unsigned k = 0; k < families; k++)
            known = known || order[k] == family;
        if (!known)
            order[families++] = family;
    }
    for (size_t last = SIZE_MAX; made != last;) {
        last = made;
        for (unsigned k = 0; k < families; k++) {
            size_t *at = &next[k];
            while (*at < count && (family_of(&addresses[*at]) != order[k] ||
                                   find_address(entries, made, &addresses[*at])))
                (*at)++;
            if (*at < count)
                entries[made++] = (oy_pick_first_entry){.address = addresses[(*at)++]};
        }
    }
    return made;
}

/* The new list with the subchannels of the old one where the address is the same. Both share them
 * until one is freed. */
static oyez_err make_entries(oy_pick_first *pick, const oy_address *addresses, size_t count,
                             oy_pick_first_entry **ret_entries, size_t *ret_count)
{
    oy_pick_first_entry *entries = oy_alloc_array(count, sizeof(*entries));
    size_t made, i;
    if (!entries)
        return OYEZ_ENOMEM;
    made = arrange(entries, addresses, count);
    for (i = 0; i < made; i++) {
        oy_pick_first_entry *old = find_address(pick->entries, pick->count, &entries[i].address);
        if (old) {
            entries[i].subchannel = old->subchannel;
            entries[i].state = old->state;
        } else if (pick->host->subchannel_new(pick->user, &entries[i].address,
                                              &entries[i].subchannel)) {
            break;
        }
    }
    if (i < made) {
        while (i-- > 0)
            if (!find_address(pick->entries, pick->count, &entries[i].address))
                pick->host->subchannel_free(entries[i].subchannel);
        oy_free(entries);
        return OYEZ_ENOMEM;
    }
    *ret_entries = entries;
    *ret_count = made;
    return OYEZ_NO_ERR;
}

oyez_err oy_pick_first_set_addresses(oy_pick_first *pick, const oy_address *addresses, size_t count,
                                     int64_t now)
{
    oy_pick_first_entry *entries, *old = pick->entries;
    const size_t old_count = pick->count;
    bool lost_ready = false;
    oyez_err err = make_entries(pick, addresses, count, &entries, &count);

    if (err)
        return err;
    for (size_t i = 0; i < old_count; i++) {
        if (!find_address(entries, count, &old[i].address))
            lost_ready = lost_ready || old[i].state == OYEZ_READY;
        else
            old[i].subchannel = NULL; /* it is in the new list */
    }
    pick->entries = entries;
    pick->count = count;
    free_entries(pick, old, old_count);
    /* READY on an address that is still there goes on; IDLE waits for a call */
    if ((pick->state == OYEZ_READY && !lost_ready) || pick->state == OYEZ_IDLE)
        return OYEZ_NO_ERR;
    /* A failure that came from the lack of addresses is over; one of connections is not (gRFC
     * A62). */
    if (lost_ready || (pick->state == OYEZ_TRANSIENT_FAILURE && old_count == 0))
        report(pick, OYEZ_CONNECTING, NULL);
    begin_pass(pick, now);
    return OYEZ_NO_ERR;
}

void oy_pick_first_resolver_failed(oy_pick_first *pick, const char *words)
{
    if (pick->count > 0)
        return;
    keep_words(pick, words);
    report(pick, OYEZ_TRANSIENT_FAILURE, NULL);
}

/* --- news of subchannels --------------------------------------------------------------------- */

static void on_ready(oy_pick_first *pick, oy_pick_first_entry *ready)
{
    pick->host->set_timer(pick->user, OYEZ_FOREVER);
    pick->first_pass = false;
    for (oy_pick_first_entry *entry = pick->entries; entry < pick->entries + pick->count; entry++) {
        if (entry == ready || entry->state == OYEZ_IDLE)
            continue;
        entry->state = OYEZ_IDLE;
        pick->host->subchannel_reset(entry->subchannel);
    }
    report(pick, OYEZ_READY, ready->subchannel);
}

static void on_failure(oy_pick_first *pick, oy_pick_first_entry *entry, int64_t now)
{
    pick->host->resolve_now(pick->user);
    if (pick->first_pass) {
        entry->failed = true;
        if (entry == &pick->entries[pick->current]) {
            pick->host->set_timer(pick->user, OYEZ_FOREVER);
            pick->current++;
            try_current(pick, now);
        } else {
            end_pass(pick);
        }
    } else if (++pick->failures >= pick->count) {
        pick->failures = 0;
        report(pick, OYEZ_TRANSIENT_FAILURE, NULL);
    }
}

void oy_pick_first_on_state(oy_pick_first *pick, oy_subchannel *subchannel, oyez_connectivity state,
                            const char *words, int64_t now)
{
    oy_pick_first_entry *entry = pick->entries;
    oyez_connectivity before;

    while (entry < pick->entries + pick->count && entry->subchannel != subchannel)
        entry++;
    oy_assert(entry < pick->entries + pick->count);
    before = entry->state;
    entry->state = state;
    keep_words(pick, words);
    if (state == OYEZ_READY) {
        on_ready(pick, entry);
    } else if (before == OYEZ_READY) {
        pick->host->resolve_now(pick->user);
        report(pick, OYEZ_IDLE, NULL);
    } else if (state == OYEZ_TRANSIENT_FAILURE) {
        on_failure(pick, entry, now);
    } else if (state == OYEZ_IDLE && !pick->first_pass) {
        connect_entry(pick, entry);
    }
}
