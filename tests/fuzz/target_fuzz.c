/* SPDX-License-Identifier: Apache-2.0 */
/* Targets of channels: any text is taken or refused, and what is taken can go to the network as it
 * is. */
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/text.h"
#include "client/target.h"

#define MAX_TARGET 8192u

int oy_fuzz_target(const uint8_t *data, size_t len);

static void check(bool condition)
{
    if (!condition)
        abort();
}

/* `:authority` is one token of printable ASCII, and no zone is in it. */
static void check_authority(const char *authority)
{
    check(authority[0] != '\0');
    for (const char *c = authority; *c; c++)
        check(*c > 0x20 && *c < 0x7f && *c != '%' && *c != '/' && *c != ',');
}

/* The authority of a name leads to the same host and port. */
static void check_name(const oy_target *target)
{
    oy_target again;
    check(target->address_count == 0 && !target->addresses);
    check(target->host[0] != '\0' && strlen(target->host) <= 254 && target->port != 0);
    check(oy_target_parse(target->authority, (oy_words){NULL, 0}, &again) == OYEZ_NO_ERR);
    check(again.host && strcmp(again.host, target->host) == 0 && again.port == target->port);
    oy_target_fini(&again);
}

static void check_addresses(const oy_target *target)
{
    char text[OY_ADDRESS_TEXT_MAX];
    check(target->address_count > 0 && target->addresses);
    for (size_t i = 0; i < target->address_count; i++) {
        oy_address_format(&target->addresses[i], text);
        check(text[0] != '\0');
    }
}

int oy_fuzz_target(const uint8_t *data, size_t len)
{
    char *text, words[128] = "";
    oy_target target;
    oyez_err err;

    if (len > MAX_TARGET || !(text = oy_alloc(len + 1)))
        return 0;
    if (len)
        memcpy(text, data, len);
    text[len] = '\0';
    err = oy_target_parse(text, (oy_words){words, sizeof(words)}, &target);
    if (err) {
        check(words[0] != '\0' && strlen(words) < sizeof(words));
        for (const char *c = words; *c; c++)
            check((unsigned char)*c >= 0x20 && *c != 0x7f);
    } else {
        check(strcmp(target.text, text) == 0);
        check_authority(target.authority);
        if (target.host)
            check_name(&target);
        else
            check_addresses(&target);
        oy_target_fini(&target);
    }
    oy_free(text);
    return 0;
}
