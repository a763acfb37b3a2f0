/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file log.h
 * What the library has to say beside its return values. It says nothing unless asked.
 */
#ifndef OYEZ_LOG_H
#define OYEZ_LOG_H

#include <oyez/types.h>

OYEZ_BEGIN_DECLS

typedef enum oyez_log_level {
    OYEZ_LOG_DEBUG = 1,
    OYEZ_LOG_INFO,
    OYEZ_LOG_WARNING,
    OYEZ_LOG_ERROR,
} oyez_log_level;

/** Gets one line, without a newline. Runs on whatever thread has something to say; must not block
 *  and must not call back into the object that speaks. */
typedef void oyez_log_fn(oyez_log_level level, const char *line, void *user);

/** A sink for lines of at least `level`. Zero: silence. Options of channel, server and runtime. */
typedef struct oyez_log {
    oyez_log_fn *write;
    void *user;
    oyez_log_level level;
} oyez_log;

/** A ready-made oyez_log_fn: "oyez: warning: ..." on standard error. Any thread. Since 0.1. */
OYEZ_API void oyez_log_stderr(oyez_log_level level, const char *line, void *user);

OYEZ_END_DECLS

#endif
