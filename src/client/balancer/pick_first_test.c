/* SPDX-License-Identifier: Apache-2.0 */
/* pick_first against subchannels that do as the script says. Each test is a conversation: what
 * happens, and what the balancer then wants done. */
#include "client/balancer/pick_first.h"

#include <stdio.h>

#include "support/leak.h"
#include "support/test.h"

#define MS OYEZ_MILLISECOND

/* The last digit of the port is its name: 'A' for 1. */
struct oy_subchannel {
    char name;
};

static struct world {
    oy_pick_first pick;
    oy_subchannel made[26]; /* by name; 0: not made */
    int64_t now;
    int new_fails; /* the n-th from now, counted down to 0 */
    char log[512];
} w;

static void note(const char *format, ...) OYEZ_PRINTF(1, 2);

static void note(const char *format, ...)
{
    const size_t at = strlen(w.log);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(w.log + at, sizeof(w.log) - at, format, args);
    va_end(args);
}

static oyez_err subchannel_new(void *host, const oy_address *address,
                               oy_subchannel **ret_subchannel)
{
    char text[OY_ADDRESS_TEXT_MAX];
    oy_subchannel *made;
    assert_ptr_equal(host, &w);
    if (w.new_fails > 0 && --w.new_fails == 0)
        return OYEZ_ENOMEM;
    oy_address_format(address, text);
    made = &w.made[text[strlen(text) - 1] - '1'];
    assert_int_equal(made->name, 0);
    made->name = (char)('A' + (made - w.made));
    *ret_subchannel = made;
    note("new %c;", made->name);
    return OYEZ_NO_ERR;
}

static void subchannel_connect(oy_subchannel *subchannel)
{
    note("connect %c;", subchannel->name);
}

static void subchannel_reset(oy_subchannel *subchannel)
{
    note("reset %c;", subchannel->name);
}

static void subchannel_free(oy_subchannel *subchannel)
{
    note("free %c;", subchannel->name);
    assert_in_range(subchannel->name, 'A', 'Z');
    subchannel->name = 0;
}

static void set_timer(void *host, int64_t at)
{
    (void)host;
    if (at != OYEZ_FOREVER)
        note("timer %lld;", (long long)((at - w.now) / MS));
}

static void resolve_now(void *host)
{
    (void)host;
    note("resolve;");
}

static void update(void *host, oyez_connectivity state, oy_subchannel *ready, const char *words)
{
    (void)host;
    if (ready)
        note("%s %c;", oyez_connectivity_name(state), ready->name);
    else if (state == OYEZ_TRANSIENT_FAILURE)
        note("FAILURE %s;", words);
    else
        note("%s;", oyez_connectivity_name(state));
}

static const oy_balancer_host host = {
    .subchannel_new = subchannel_new,
    .subchannel_connect = subchannel_connect,
    .subchannel_reset = subchannel_reset,
    .subchannel_free = subchannel_free,
    .set_timer = set_timer,
    .resolve_now = resolve_now,
    .update = update,
};

/* What was wanted since the last look. */
static void expect(const char *log)
{
    if (strcmp(w.log, log) != 0)
        fail_msg("\n     got: %s\nexpected: %s", w.log, log);
    w.log[0] = '\0';
}

/* "AbC": IPv4 for capitals, IPv6 for small letters, a unix socket for digits; the letter is the
 * port. */
static void addresses(const char *names)
{
    oy_address list[32];
    size_t count = 0;
    for (; *names; names++, count++) {
        const bool ipv4 = *names >= 'A' && *names <= 'Z';
        char text[32];
        if (*names >= '0' && *names <= '9') {
            assert_ok(oy_address_unix((oyez_str){names, 1}, false, &list[count]));
            continue;
        }
        snprintf(text, sizeof(text), ipv4 ? "1.2.3.4:%d" : "[::1]:%d",
                 *names - (ipv4 ? 'A' : 'a') + 1);
        assert_ok(oy_address_parse((oyez_str){text, strlen(text)}, &list[count]));
    }
    assert_ok(oy_pick_first_set_addresses(&w.pick, list, count, w.now));
}

static void is(char name, oyez_connectivity state)
{
    assert_int_equal(w.made[name - 'A'].name, name);
    oy_pick_first_on_state(&w.pick, &w.made[name - 'A'], state,
                           state == OYEZ_TRANSIENT_FAILURE ? "no" : NULL, w.now);
}

static void fails(char name)
{
    is(name, OYEZ_TRANSIENT_FAILURE);
}

static void timer(void)
{
    oy_pick_first_on_timer(&w.pick, w.now);
}

static int setup(void **state)
{
    memset(&w, 0, sizeof(w));
    oy_leak_setup(state);
    oy_pick_first_init(&w.pick, &host, &w);
    return 0;
}

static int teardown(void **state)
{
    oy_pick_first_fini(&w.pick);
    for (size_t i = 0; i < sizeof(w.made) / sizeof(w.made[0]); i++)
        assert_int_equal(w.made[i].name, 0);
    return oy_leak_teardown(state);
}

#define scripted(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

static void one_address(void **state)
{
    (void)state;
    addresses("A");
    expect("new A;connect A;");
    is('A', OYEZ_READY);
    expect("READY A;");
    is('A', OYEZ_IDLE);
    expect("resolve;IDLE;");
    oy_pick_first_exit_idle(&w.pick, w.now);
    expect("CONNECTING;connect A;");
    oy_pick_first_exit_idle(&w.pick, w.now); /* it has left already */
    expect("");
    is('A', OYEZ_READY);
    expect("READY A;");
}

static void one_that_fails(void **state)
{
    (void)state;
    addresses("A");
    expect("new A;connect A;");
    fails('A');
    expect("resolve;FAILURE no;");
    oy_pick_first_exit_idle(&w.pick, w.now);
    expect("");
    is('A', OYEZ_IDLE); /* its pause is over: it is tried again, without a call */
    expect("connect A;");
    fails('A');
    expect("resolve;FAILURE no;");
    is('A', OYEZ_IDLE);
    expect("connect A;");
    is('A', OYEZ_READY);
    expect("READY A;");
}

static void the_next_when_one_fails(void **state)
{
    (void)state;
    addresses("ABC");
    expect("new A;new B;new C;connect A;timer 250;");
    fails('A');
    expect("resolve;connect B;timer 250;");
    fails('B');
    expect("resolve;connect C;");
    is('C', OYEZ_READY);
    expect("reset A;reset B;READY C;");
    is('C', OYEZ_IDLE);
    expect("resolve;IDLE;");
    oy_pick_first_exit_idle(&w.pick, w.now); /* from the front again */
    expect("CONNECTING;connect A;timer 250;");
}

static void the_next_when_one_is_slow(void **state)
{
    (void)state;
    addresses("ABC");
    expect("new A;new B;new C;connect A;timer 250;");
    w.now += 250 * MS;
    timer();
    expect("connect B;timer 250;");
    w.now += 250 * MS;
    timer();
    expect("connect C;");
    timer(); /* a late one */
    expect("");
    is('B', OYEZ_READY);
    expect("reset A;reset C;READY B;");
    timer();
    expect("");
}

static void an_early_one_fails_late(void **state)
{
    (void)state;
    addresses("ABC");
    timer();
    expect("new A;new B;new C;connect A;timer 250;connect B;timer 250;");
    fails('A'); /* the pass is at B: it goes on in its own time */
    expect("resolve;");
    fails('B');
    expect("resolve;connect C;");
    is('A', OYEZ_IDLE); /* its pause is over, but the pass is not */
    expect("");
    fails('C');
    expect("resolve;connect A;FAILURE no;");
}

static void the_last_one_fails_first(void **state)
{
    (void)state;
    addresses("AB");
    timer();
    expect("new A;new B;connect A;timer 250;connect B;");
    fails('B');
    expect("resolve;");
    is('B', OYEZ_IDLE);
    expect("");
    fails('A');
    expect("resolve;connect B;FAILURE no;");
}

static void failure_is_sticky(void **state)
{
    (void)state;
    addresses("AB");
    fails('A');
    fails('B');
    expect("new A;new B;connect A;timer 250;resolve;connect B;resolve;FAILURE no;");
    is('A', OYEZ_IDLE);
    expect("connect A;");
    is('B', OYEZ_IDLE);
    expect("connect B;");
    fails('A');
    expect("resolve;");
    fails('B'); /* as many failures as addresses: told again */
    expect("resolve;FAILURE no;");
    is('A', OYEZ_IDLE);
    is('A', OYEZ_READY);
    expect("connect A;reset B;READY A;");
}

static void families_take_turns(void **state)
{
    (void)state;
    addresses("ABCdeF");
    expect("new A;new D;new B;new E;new C;new F;connect A;timer 250;");
    fails('A');
    expect("resolve;connect D;timer 250;");
    oy_pick_first_fini(&w.pick);
    expect("free A;free D;free B;free E;free C;free F;");
    oy_pick_first_init(&w.pick, &host, &w);
    addresses("aBCd");
    expect("new A;new B;new D;new C;connect A;timer 250;");
    oy_pick_first_fini(&w.pick);
    oy_pick_first_init(&w.pick, &host, &w);
    w.log[0] = '\0';
    addresses("5Ab6"); /* three sorts */
    expect("new E;new A;new B;new F;connect E;timer 250;");
}

static void doubles_count_once(void **state)
{
    (void)state;
    addresses("AABAB");
    expect("new A;new B;connect A;timer 250;");
    fails('A');
    fails('B');
    expect("resolve;connect B;resolve;FAILURE no;");
}

static void new_list_while_ready(void **state)
{
    (void)state;
    addresses("ABC");
    fails('A');
    is('B', OYEZ_READY);
    w.log[0] = '\0';
    addresses("DBE"); /* it is still there */
    expect("new D;new E;free A;free C;");
    is('B', OYEZ_IDLE);
    expect("resolve;IDLE;");
    oy_pick_first_exit_idle(&w.pick, w.now);
    expect("CONNECTING;connect D;timer 250;");
    is('D', OYEZ_READY);
    expect("READY D;");
    addresses("FB"); /* it has gone */
    expect("new F;free D;free E;CONNECTING;connect F;timer 250;");
}

static void new_list_while_connecting(void **state)
{
    (void)state;
    addresses("ABC");
    timer();
    fails('A');
    expect("new A;new B;new C;connect A;timer 250;connect B;timer 250;resolve;");
    addresses("CABD"); /* A is in its pause, B under way */
    expect("new D;connect C;timer 250;");
    fails('C');
    expect("resolve;timer 250;");
    fails('B');
    expect("resolve;connect D;");
    fails('D');
    expect("resolve;FAILURE no;");
}

static void new_list_while_failing(void **state)
{
    (void)state;
    addresses("A");
    fails('A');
    expect("new A;connect A;resolve;FAILURE no;");
    addresses("A"); /* the same: it stays in its pause */
    expect("FAILURE no;");
    addresses("AB");
    expect("new B;connect B;");
    is('B', OYEZ_READY);
    expect("reset A;READY B;");
}

static void new_list_while_idle(void **state)
{
    (void)state;
    addresses("A");
    is('A', OYEZ_READY);
    is('A', OYEZ_IDLE);
    expect("new A;connect A;READY A;resolve;IDLE;");
    addresses("B");
    expect("new B;free A;");
    oy_pick_first_exit_idle(&w.pick, w.now);
    expect("CONNECTING;connect B;");
}

static void resolver_fails(void **state)
{
    (void)state;
    oy_pick_first_resolver_failed(&w.pick, "no such name");
    expect("FAILURE no such name;");
    oy_pick_first_exit_idle(&w.pick, w.now);
    expect("");
    oy_pick_first_resolver_failed(&w.pick, "no server");
    expect("FAILURE no server;");
    addresses("A");
    expect("new A;CONNECTING;connect A;");
    oy_pick_first_resolver_failed(&w.pick, "no server"); /* what was found stays */
    expect("");
    is('A', OYEZ_READY);
    oy_pick_first_resolver_failed(&w.pick, "no server");
    expect("READY A;");
}

static void no_memory(void **state)
{
    oy_address list[3];
    (void)state;
    assert_ok(oy_address_parse(OYEZ_STR("1.2.3.4:2"), &list[0]));
    assert_ok(oy_address_parse(OYEZ_STR("1.2.3.4:1"), &list[1]));
    assert_ok(oy_address_parse(OYEZ_STR("1.2.3.4:3"), &list[2]));
    addresses("A");
    is('A', OYEZ_READY);
    expect("new A;connect A;READY A;");
    oy_fail_after(1);
    assert_err(oy_pick_first_set_addresses(&w.pick, list, 3, w.now), OYEZ_ENOMEM);
    w.new_fails = 1;
    assert_err(oy_pick_first_set_addresses(&w.pick, list, 3, w.now), OYEZ_ENOMEM);
    expect("");
    w.new_fails = 2;
    assert_err(oy_pick_first_set_addresses(&w.pick, list, 3, w.now), OYEZ_ENOMEM);
    expect("new B;free B;");
    is('A', OYEZ_IDLE); /* nothing has changed */
    expect("resolve;IDLE;");
}

OY_TEST_GROUP(client_pick_first, scripted(one_address), scripted(one_that_fails),
              scripted(the_next_when_one_fails), scripted(the_next_when_one_is_slow),
              scripted(an_early_one_fails_late), scripted(the_last_one_fails_first),
              scripted(failure_is_sticky), scripted(families_take_turns),
              scripted(doubles_count_once), scripted(new_list_while_ready),
              scripted(new_list_while_connecting), scripted(new_list_while_failing),
              scripted(new_list_while_idle), scripted(resolver_fails), scripted(no_memory));
