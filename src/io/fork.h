/* SPDX-License-Identifier: Apache-2.0 */
/* Knowing that this process is a child of the one that made an object, without a system call and
 * without pthread_atfork (a hook of the process that is not ours to set): a page that the kernel
 * wipes in children. */
#ifndef OY_IO_FORK_H
#define OY_IO_FORK_H

#include <stdint.h>
#include <sys/types.h>

#include <oyez/types.h>

#include "base/assert.h"

enum { OY_FORK_WIPED = 0, OY_FORK_OURS = 1, OY_FORK_ASK = 2 };

typedef struct oy_fork_mark {
    volatile const uint32_t *value; /* one of the above; first word of a page of its own */
    pid_t pid;                      /* for kernels that cannot wipe (before 4.14) */
} oy_fork_mark;

oyez_err oy_fork_mark_init(oy_fork_mark *mark);
void oy_fork_mark_fini(oy_fork_mark *mark);
bool oy_fork_pid_differs(const oy_fork_mark *mark);

/* Any thread. */
static inline bool oy_fork_is_child(const oy_fork_mark *mark)
{
    uint32_t value = *mark->value;
    if (oy_likely(value == OY_FORK_OURS))
        return false;
    return value == OY_FORK_WIPED || oy_fork_pid_differs(mark);
}

#endif
