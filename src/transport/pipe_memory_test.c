/* SPDX-License-Identifier: Apache-2.0 */
/* The pipe in memory: order, bounds, readiness, and who may go first. Two runtimes without threads stand for two loops, so
 * that each step can be seen; and once two loop threads. */
#include "transport/pipe.h"

#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/random.h"
#include "support/leak.h"
#include "support/test.h"

#define BYTES_MAX (1u << 20)

/* One end and what it has seen. */
typedef struct side {
    oyez_runtime *runtime;
    oy_loop *loop;
    oy_pipe *pipe;
    oy_outq out;
    uint8_t *got;
    size_t len;
    unsigned readable, writable; /* how often it was told */
    bool reads;                  /* takes what comes, at once */
    bool ended;
    bool closes;                 /* closes the pipe inside on_ready */
    bool inside;                 /* a function of the pipe is being called: nothing may be told */
} side;

static void close_side(side *s)
{
    if (s->pipe)
        oy_pipe_close(s->pipe);
    s->pipe = NULL;
}

/* Receives once. -1: nothing now. */
static ssize_t receive(side *s)
{
    oyez_buffer bytes;
    bool more;
    const ssize_t got = s->pipe->ops->receive(s->pipe, &bytes, &more);
    if (got > 0) {
        assert_true(s->len + (size_t)got <= BYTES_MAX);
        memcpy(s->got + s->len, bytes.data, (size_t)got);
        s->len += (size_t)got;
    } else if (got < 0) {
        assert_int_equal(errno, EAGAIN);
    }
    s->pipe->ops->received(s->pipe, NULL);
    s->ended |= got == 0;
    return got;
}

static void on_ready(void *user, int events)
{
    side *s = user;
    assert_false(s->inside);
    assert_non_null(s->pipe);
    s->readable += (events & OY_READABLE) != 0;
    s->writable += (events & OY_WRITABLE) != 0;
    if (s->closes) {
        close_side(s);
        return;
    }
    while (events & OY_READABLE && s->reads && receive(s) > 0)
        continue;
    if (s->ended)
        s->pipe->ops->want(s->pipe, 0);
}

static void attach(side *s)
{
    assert_ok(s->pipe->ops->attach(s->pipe, s->loop, on_ready, s));
}

static void want(side *s, int events)
{
    s->inside = true;
    s->pipe->ops->want(s->pipe, events);
    s->inside = false;
}

typedef struct fixture {
    side a, b;
} fixture;

static void make_runtime(side *s)
{
    const oyez_runtime_options options = { OYEZ_RUNTIME_OPTIONS_INIT };
    assert_ok(oyez_runtime_new_manual(&options, &s->runtime));
}

static void start_side(side *s)
{
    s->loop = oy_runtime_loop(s->runtime, 0);
    oy_outq_init(&s->out, oy_loop_blocks(s->loop));
    s->got = oy_alloc(BYTES_MAX);
    assert_non_null(s->got);
    s->reads = true;
}

static void start(fixture *f, bool one_loop)
{
    oy_leak_begin();
    *f = (fixture){ 0 };
    make_runtime(&f->a);
    if (one_loop)
        f->b.runtime = oyez_runtime_ref(f->a.runtime);
    else
        make_runtime(&f->b);
    start_side(&f->a);
    start_side(&f->b);
    assert_ok(oy_pipe_memory_new(&f->a.pipe, &f->b.pipe));
}

static void start_attached(fixture *f, bool one_loop)
{
    start(f, one_loop);
    attach(&f->a);
    attach(&f->b);
}

static void end_side(side *s)
{
    close_side(s);
    oy_outq_fini(&s->out);
    oy_free(s->got);
    s->runtime = oyez_runtime_unref(s->runtime);
}

static void end(fixture *f)
{
    end_side(&f->a);
    end_side(&f->b);
    oy_leak_end();
}

static void turn(side *s)
{
    assert_ok(oyez_runtime_dispatch(s->runtime));
}

static ssize_t send_out(side *s)
{
    s->inside = true;
    const ssize_t sent = s->pipe->ops->send(s->pipe, &s->out);
    s->inside = false;
    return sent;
}

static void put_text(side *s, const char *text)
{
    assert_ok(oy_outq_copy(&s->out, text, strlen(text)));
}

static void say(side *s, const char *text)
{
    put_text(s, text);
    assert_int_equal(send_out(s), strlen(text));
    assert_int_equal(s->out.len, 0);
}

static void expect(const side *s, const char *text)
{
    assert_int_equal(s->len, strlen(text));
    assert_memory_equal(s->got, text, s->len);
}

/* --- bytes ------------------------------------------------------------------------------------------------------------ */

static void both_ways(bool one_loop)
{
    fixture f;
    start_attached(&f, one_loop);
    want(&f.a, OY_READABLE);
    want(&f.b, OY_READABLE);
    say(&f.a, "one ");
    say(&f.a, "two ");
    say(&f.b, "uno");
    assert_int_equal(f.b.len, 0); /* not inside the sender's call */
    turn(&f.b);
    turn(&f.a);
    expect(&f.b, "one two ");
    expect(&f.a, "uno");
    say(&f.a, "three");
    turn(&f.b);
    expect(&f.b, "one two three");
    turn(&f.b);
    assert_int_equal(f.a.readable, 1);
    end(&f);
}

static void bytes_go_both_ways(void **state)
{
    (void)state;
    both_ways(false);
    both_ways(true);
}

/* What lies in a block is not copied, and the block lives as long as it is on its way. */
static void by_reference(void **state)
{
    fixture f;
    oyez_buffer buffer, bytes;
    bool more;
    (void)state;
    start_attached(&f, false);
    assert_ok(oyez_buffer_copy(NULL, "by reference", 12, &buffer));
    const uint8_t *data = buffer.data;
    assert_ok(oy_outq_append(&f.a.out, buffer));
    assert_int_equal(send_out(&f.a), 12);
    close_side(&f.a);
    assert_int_equal(f.b.pipe->ops->receive(f.b.pipe, &bytes, &more), 12);
    assert_ptr_equal(bytes.data, data);
    assert_memory_equal(bytes.data, "by reference", 12);
    assert_true(oy_block_is_sole(bytes.block));
    f.b.pipe->ops->received(f.b.pipe, NULL);
    end(&f);
}

/* Copies and references of all sizes, in pieces as they fit. */
static void order(bool one_loop, uint64_t seed)
{
    fixture f;
    oy_random random = { seed };
    uint8_t *sent = malloc(BYTES_MAX);
    size_t len = 0;
    assert_non_null(sent);
    start_attached(&f, one_loop);
    want(&f.b, OY_READABLE);
    while (len < BYTES_MAX - 70000) {
        const size_t part = 1 + oy_random_next(&random) % (oy_random_next(&random) % 4 ? 100 : 60000);
        for (size_t i = 0; i < part; i++)
            sent[len + i] = (uint8_t)oy_random_next(&random);
        oyez_buffer buffer = { sent + len, part, NULL };
        if (oy_random_next(&random) % 2)
            assert_ok(oyez_buffer_copy(NULL, sent + len, part, &buffer));
        assert_ok(oy_outq_append(&f.a.out, buffer));
        len += part;
        if (oy_random_next(&random) % 3 == 0)
            (void)send_out(&f.a);
        if (oy_random_next(&random) % 5 == 0)
            turn(&f.b);
    }
    while (f.a.out.len > 0) {
        (void)send_out(&f.a);
        turn(&f.b);
    }
    turn(&f.b);
    assert_int_equal(f.b.len, len);
    assert_memory_equal(f.b.got, sent, len);
    end(&f);
    free(sent);
}

static void order_is_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++)
        order(seed % 2, seed);
}

/* --- bounds ----------------------------------------------------------------------------------------------------------- */

static void fill(side *s, size_t piece, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        oyez_block *block;
        assert_ok(oyez_block_new(NULL, piece, &block));
        memset(oyez_block_data(block), 'x', piece);
        assert_ok(oy_outq_append(&s->out, oyez_buffer_of_block(block, piece)));
    }
}

/* A writer stops when so much is on its way, and is told when the reader has taken it. */
static void bounded(size_t piece, size_t count, size_t fits)
{
    fixture f;
    start_attached(&f, false);
    fill(&f.a, piece, count);
    assert_int_equal(send_out(&f.a), fits);
    assert_int_equal(send_out(&f.a), -1);
    assert_int_equal(errno, EAGAIN);
    want(&f.a, OY_WRITABLE);
    turn(&f.a);
    assert_int_equal(f.a.writable, 0);
    assert_int_equal(receive(&f.b), piece < fits ? piece : fits);
    want(&f.a, OY_WRITABLE);
    turn(&f.a);
    assert_true(f.a.writable > 0);
    const unsigned told = f.a.writable;
    turn(&f.a); /* it is told again as long as it wants to hear it */
    assert_true(f.a.writable > told);
    want(&f.a, 0);
    turn(&f.a);
    turn(&f.a);
    assert_true(send_out(&f.a) > 0);
    want(&f.b, OY_READABLE);
    while (f.a.out.len > 0) {
        turn(&f.b);
        (void)send_out(&f.a);
    }
    turn(&f.b);
    assert_int_equal(f.b.len, piece * count);
    end(&f);
}

static void a_slow_reader_stops_its_writer(void **state)
{
    (void)state;
    bounded(16384, 40, OY_PIPE_MEMORY_BYTES);          /* by bytes */
    bounded(BYTES_MAX, 1, OY_PIPE_MEMORY_BYTES);       /* in the midst of a piece */
    bounded(10, 200, 10 * OY_PIPE_MEMORY_PIECES);      /* by pieces */
}

/* What follows in the same block is one piece with what was before: small writes do not use up the places. */
static void neighbours_are_joined(void **state)
{
    fixture f;
    (void)state;
    start_attached(&f, false);
    for (unsigned i = 0; i < 4 * OY_PIPE_MEMORY_PIECES; i++)
        say(&f.a, "0123456789");
    assert_int_equal(receive(&f.b), 40 * OY_PIPE_MEMORY_PIECES);
    end(&f);
}

/* --- readiness -------------------------------------------------------------------------------------------------------- */

static void told_as_long_as_it_is_so(void **state)
{
    fixture f;
    (void)state;
    start_attached(&f, false);
    f.b.reads = false;
    say(&f.a, "hello");
    turn(&f.b);
    assert_int_equal(f.b.readable, 0); /* not wanted */
    want(&f.b, OY_READABLE);
    turn(&f.b);
    assert_true(f.b.readable > 0);
    const unsigned told = f.b.readable;
    turn(&f.b);
    assert_true(f.b.readable > told);
    want(&f.b, 0);
    turn(&f.b); /* one may have been on its way */
    const unsigned last = f.b.readable;
    turn(&f.b);
    assert_int_equal(f.b.readable, last);
    f.b.reads = true;
    want(&f.b, OY_READABLE);
    turn(&f.b);
    expect(&f.b, "hello");
    /* A part that was taken and not received counts, too. */
    fill(&f.a, 3, 2);
    assert_int_equal(send_out(&f.a), 6);
    assert_int_equal(receive(&f.b), 3);
    const unsigned before = f.b.readable;
    want(&f.b, 0);
    want(&f.b, OY_READABLE);
    turn(&f.b);
    assert_true(f.b.readable > before);
    expect(&f.b, "helloxxxxxx");
    end(&f);
}

static void sent_before_the_other_is_attached(void **state)
{
    fixture f;
    (void)state;
    start(&f, false);
    attach(&f.a);
    want(&f.a, OY_WRITABLE);
    turn(&f.a);
    assert_true(f.a.writable > 0);
    say(&f.a, "early");
    attach(&f.b);
    want(&f.b, OY_READABLE);
    turn(&f.b);
    expect(&f.b, "early");
    end(&f);
}

/* --- the end ---------------------------------------------------------------------------------------------------------- */

/* What was said before the end is heard, then the end; what is sent to the one that is gone is dropped. */
static void last_words(bool one_loop)
{
    fixture f;
    start_attached(&f, one_loop);
    want(&f.a, OY_READABLE);
    want(&f.b, OY_READABLE);
    say(&f.b, "never read");
    say(&f.a, "goodbye");
    close_side(&f.a);
    say(&f.b, "too late");
    turn(&f.b);
    expect(&f.b, "goodbye");
    assert_true(f.b.ended);
    say(&f.b, "still too late");
    turn(&f.a);
    end(&f);
}

static void what_was_said_before_the_end_is_heard(void **state)
{
    (void)state;
    last_words(false);
    last_words(true);
}

/* A writer that waits for room does not wait for ever. */
static void the_end_makes_room(void **state)
{
    fixture f;
    (void)state;
    start_attached(&f, false);
    fill(&f.a, 16384, 20);
    (void)send_out(&f.a);
    assert_int_equal(send_out(&f.a), -1);
    want(&f.a, OY_WRITABLE);
    turn(&f.a);
    assert_int_equal(f.a.writable, 0);
    close_side(&f.b);
    turn(&f.a);
    assert_true(f.a.writable > 0);
    assert_true(send_out(&f.a) > 0);
    assert_int_equal(f.a.out.len, 0);
    end(&f);
}

/* Each order of: closing one, closing the other, and the tasks that are on their way. Bit 0: b closes first; bits 1 and 2:
 * the loop of the first, of the second, turns in between; bit 3: bytes are on their way; bit 4: one loop; bit 5: neither is
 * attached; bit 6: the first closes inside its own on_ready. */
static void close_in_order(unsigned bits)
{
    fixture f;
    start(&f, bits & 16);
    side *first = bits & 1 ? &f.b : &f.a, *second = bits & 1 ? &f.a : &f.b;
    if (!(bits & 32)) {
        attach(first);
        attach(second);
        first->reads = second->reads = false;
        want(first, OY_READABLE | OY_WRITABLE);
        want(second, OY_READABLE | OY_WRITABLE);
    }
    if (bits & 8) {
        say(first, "on its way");
        say(second, "this, too");
    }
    first->closes = bits & 64;
    if (bits & 2)
        turn(first);
    if (first->pipe)
        close_side(first);
    if (bits & 4)
        turn(second);
    close_side(second);
    turn(first);
    turn(second);
    end(&f);
}

static void closed_in_every_order(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 128; bits++)
        close_in_order(bits);
}

/* The runtime of one goes while the other end lives on. */
static void a_loop_that_is_gone_first(void **state)
{
    fixture f;
    (void)state;
    start_attached(&f, false);
    want(&f.a, OY_READABLE);
    want(&f.b, OY_READABLE);
    say(&f.a, "the last words of a loop");
    say(&f.b, "a task is on its way to it");
    end_side(&f.a);
    say(&f.b, "nobody is there");
    turn(&f.b);
    expect(&f.b, "the last words of a loop");
    assert_true(f.b.ended);
    end_side(&f.b);
    oy_leak_end();
}

static void without_memory(void **state)
{
    (void)state;
    OY_FAULT_WALK() {
        oy_pipe *one, *other;
        const oyez_err err = oy_pipe_memory_new(&one, &other);
        assert_int_equal(err, oy_fail_triggered() ? OYEZ_ENOMEM : OYEZ_NO_ERR);
        if (!err) {
            oy_pipe_close(other);
            oy_pipe_close(one);
        }
    }
}

/* --- two threads ------------------------------------------------------------------------------------------------------ */

#define STREAM_BYTES (16u << 20)

/* Each end sends a stream of numbers and checks the other's, on its own loop thread. */
typedef struct runner {
    oy_task task, close_task;
    oy_loop *loop;
    oy_pipe *pipe;
    oy_outq out;
    size_t queued, received;
    bool wrong;
    oy_event done;
} runner;

static uint8_t byte_at(size_t at)
{
    return (uint8_t)(at * 2654435761u >> 13);
}

static void go_on(runner *r)
{
    do {
        while (r->queued < STREAM_BYTES && r->out.len < 100000) {
            uint8_t part[3001];
            size_t len = 1 + r->queued % sizeof(part);
            if (len > STREAM_BYTES - r->queued)
                len = STREAM_BYTES - r->queued;
            for (size_t i = 0; i < len; i++)
                part[i] = byte_at(r->queued + i);
            r->wrong |= oy_outq_copy(&r->out, part, len) != OYEZ_NO_ERR;
            r->queued += len;
        }
    } while (r->out.len > 0 && r->pipe->ops->send(r->pipe, &r->out) > 0);
    r->pipe->ops->want(r->pipe, OY_READABLE | (r->out.len > 0 ? OY_WRITABLE : 0));
    if (r->out.len == 0 && r->queued == STREAM_BYTES && r->received == STREAM_BYTES) {
        r->pipe->ops->want(r->pipe, 0);
        oy_event_set(&r->done);
    }
}

static void runner_on_ready(void *user, int events)
{
    runner *r = user;
    oyez_buffer bytes;
    bool more;
    while (events & OY_READABLE) {
        const ssize_t got = r->pipe->ops->receive(r->pipe, &bytes, &more);
        for (ssize_t i = 0; i < got; i++)
            r->wrong |= bytes.data[i] != byte_at(r->received + (size_t)i);
        r->pipe->ops->received(r->pipe, NULL);
        if (got <= 0)
            break;
        r->received += (size_t)got;
    }
    go_on(r);
}

static void runner_start(oy_task *task)
{
    runner *r = oy_container_of(task, runner, task);
    oy_outq_init(&r->out, oy_loop_blocks(r->loop));
    r->wrong |= r->pipe->ops->attach(r->pipe, r->loop, runner_on_ready, r) != OYEZ_NO_ERR;
    go_on(r);
}

static void runner_close(oy_task *task)
{
    runner *r = oy_container_of(task, runner, close_task);
    oy_pipe_close(r->pipe);
    oy_outq_fini(&r->out);
    oy_event_set(&r->done);
}

static void two_loop_threads(void **state)
{
    const oyez_runtime_options options = { OYEZ_RUNTIME_OPTIONS_INIT, .loops = 2 };
    oyez_runtime *runtime;
    runner runners[2] = { 0 };
    (void)state;
    assert_ok(oyez_runtime_new(&options, &runtime));
    assert_ok(oy_pipe_memory_new(&runners[0].pipe, &runners[1].pipe));
    for (unsigned i = 0; i < 2; i++) {
        runner *r = &runners[i];
        r->loop = oy_runtime_loop(runtime, i);
        r->task.run = runner_start;
        r->close_task.run = runner_close;
        oy_event_init(&r->done);
        oy_loop_submit(r->loop, &r->task);
    }
    for (unsigned i = 0; i < 2; i++) {
        assert_ok(oy_runtime_wait(runtime, &runners[i].done, OYEZ_FOREVER));
        oy_event_init(&runners[i].done);
    }
    for (unsigned i = 0; i < 2; i++)
        oy_loop_submit(runners[i].loop, &runners[i].close_task);
    for (unsigned i = 0; i < 2; i++) {
        assert_ok(oy_runtime_wait(runtime, &runners[i].done, OYEZ_FOREVER));
        assert_int_equal(runners[i].received, STREAM_BYTES);
        assert_false(runners[i].wrong);
    }
    oyez_runtime_unref(runtime);
}

OY_TEST_GROUP(transport_pipe_memory, cmocka_unit_test(bytes_go_both_ways), cmocka_unit_test(by_reference),
              cmocka_unit_test(order_is_kept), cmocka_unit_test(a_slow_reader_stops_its_writer),
              cmocka_unit_test(neighbours_are_joined), cmocka_unit_test(told_as_long_as_it_is_so),
              cmocka_unit_test(sent_before_the_other_is_attached),
              cmocka_unit_test(what_was_said_before_the_end_is_heard), cmocka_unit_test(the_end_makes_room),
              cmocka_unit_test(closed_in_every_order), cmocka_unit_test(a_loop_that_is_gone_first),
              cmocka_unit_test(without_memory), oy_leak_test(two_loop_threads));
