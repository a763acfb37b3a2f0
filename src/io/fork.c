/* SPDX-License-Identifier: Apache-2.0 */
/* The page that is zero in a child, and what a loop becomes there: something that can be taken
 * apart and nothing else. */
#define _GNU_SOURCE
#include "io/fork.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/loop.h"

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

oyez_err oy_fork_mark_init(oy_fork_mark *mark)
{
    size_t bytes = page_bytes();
    uint32_t *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return OYEZ_ENOMEM;
    *page = madvise(page, bytes, MADV_WIPEONFORK) == 0 ? OY_FORK_OURS : OY_FORK_ASK;
    mark->value = page;
    mark->pid = getpid();
    return 0;
}

void oy_fork_mark_fini(oy_fork_mark *mark)
{
    if (mark->value)
        (void)munmap((void *)(uintptr_t)mark->value, page_bytes());
    mark->value = NULL;
}

bool oy_fork_pid_differs(const oy_fork_mark *mark)
{
    return getpid() != mark->pid;
}

void oy_loop_adopt_in_child(oy_loop *loop)
{
    oy_list *node;
    if (loop->in_child)
        return;
    loop->in_child = true;
    /* A descriptor of libuv's own: taking a watch away must not take it from the parent, which
     * shares the epoll instance that was there before. */
    (void)uv_loop_fork(loop->uv);
    atomic_store_explicit(&loop->owner, oy_thread_id(), memory_order_relaxed);
    oy_block_pool_adopt(loop->blocks);
    /* What the parent had still to do is the parent's. */
    atomic_store_explicit(&loop->queue.head, NULL, memory_order_relaxed);
    while ((node = oy_list_pop_front(&loop->hooks)) != NULL)
        continue;
    loop->work_first = NULL;
    loop->work_count = 0;
    loop->wakes_owed = 0;
    loop->polling = false;
    loop->now = oy_now();
}

void oy_loop_submit_in_child(oy_loop *loop, oy_task *task)
{
    oy_list *node;
    oy_loop_adopt_in_child(loop);
    (void)oy_queue_push(&loop->queue, &task->link);
    if (loop->draining)
        return;
    loop->draining = true;
    oy_loop_run_tasks_until_empty(loop);
    /* Hooks send, and a child sends nothing. */
    while ((node = oy_list_pop_front(&loop->hooks)) != NULL)
        continue;
    loop->draining = false;
}
