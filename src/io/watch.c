/* SPDX-License-Identifier: Apache-2.0 */
/* Watching a descriptor of ours: uv_poll, whose handle must outlive its closing by a pass, so that
 * watches are pooled and their owners need not know. */
#include "io/loop.h"

#include <unistd.h>

#include "base/alloc.h"
#include "base/assert.h"

#define SPARE_MAX 64u

struct oy_watch {
    uv_poll_t poll;
    oy_loop *loop;
    oy_watch_fn *on_ready;
    void *user;
    int fd;
    int armed; /* what libuv watches */
    int wanted;
    bool closed;
    oy_watch *next; /* spare */
};

_Static_assert((int)OY_READABLE == (int)UV_READABLE && (int)OY_WRITABLE == (int)UV_WRITABLE,
               "events pass through unchanged");

static void on_poll(uv_poll_t *poll, int status, int events);

static void arm(oy_watch *watch)
{
    int code;
    if (watch->armed == watch->wanted)
        return;
    code = watch->wanted ? uv_poll_start(&watch->poll, watch->wanted, on_poll)
                         : uv_poll_stop(&watch->poll);
    oy_assert(code == 0);
    (void)code;
    watch->armed = watch->wanted;
    watch->loop->dirty = true;
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    oy_watch *watch = poll->data;
    oy_loop *loop = watch->loop;
    if (!oy_loop_enter(loop))
        return;
    if (status < 0) {
        /* An error on the descriptor. libuv has stopped the handle; the owner will read or write
         * and see. */
        watch->armed = 0;
        events = OY_READABLE | OY_WRITABLE;
    }
    watch->on_ready(watch->user, events & (OY_READABLE | OY_WRITABLE));
    if (!watch->closed) /* its memory stays until libuv has closed it */
        arm(watch);
    oy_loop_leave(loop);
}

oyez_err oy_watch_new(oy_loop *loop, int fd, oy_watch_fn *on_ready, void *user,
                      oy_watch **ret_watch)
{
    oy_watch *watch = loop->spare_watches;
    int code;
    if (watch) {
        loop->spare_watches = watch->next;
        loop->spare_watch_count--;
    } else {
        watch = oy_alloc(sizeof(*watch));
        if (!watch)
            return OYEZ_ENOMEM;
    }
    code = uv_poll_init(loop->uv, &watch->poll, fd);
    if (code != 0) {
        oy_free(watch);
        return oy_err_from_errno(-code);
    }
    watch->poll.data = watch;
    watch->loop = loop;
    watch->on_ready = on_ready;
    watch->user = user;
    watch->fd = fd;
    watch->armed = watch->wanted = 0;
    watch->closed = false;
    watch->next = NULL;
    loop->watches++;
    *ret_watch = watch;
    return 0;
}

void oy_watch_set(oy_watch *watch, int events)
{
    watch->wanted = events;
    arm(watch);
}

static void on_closed(uv_handle_t *handle)
{
    oy_watch *watch = handle->data;
    oy_loop *loop = watch->loop;
    loop->closing_watches--;
    if (loop->spare_watch_count < SPARE_MAX && !loop->finished) {
        watch->next = loop->spare_watches;
        loop->spare_watches = watch;
        loop->spare_watch_count++;
    } else {
        oy_free(watch);
    }
    oy_loop_maybe_gone(loop);
}

static void close_watch(oy_watch *watch)
{
    watch->closed = true;
    watch->loop->watches--;
    watch->loop->closing_watches++;
    uv_close((uv_handle_t *)&watch->poll, on_closed);
}

void oy_watch_free(oy_watch *watch, bool close_fd)
{
    int fd;
    if (!watch)
        return;
    if (oy_unlikely(oy_fork_is_child(&watch->loop->fork_mark)))
        oy_loop_adopt_in_child(watch->loop);
    fd = watch->fd;
    close_watch(watch); /* leaves the kernel's set at once */
    if (close_fd)
        (void)close(fd);
}

void oy_watch_close_stray(uv_handle_t *handle)
{
    close_watch(handle->data);
}

void oy_watch_free_spares(oy_loop *loop)
{
    while (loop->spare_watches) {
        oy_watch *watch = loop->spare_watches;
        loop->spare_watches = watch->next;
        oy_free(watch);
    }
}
