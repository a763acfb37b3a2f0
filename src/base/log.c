/* SPDX-License-Identifier: Apache-2.0 */
/* Lines for the user's sink. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Longer lines are cut and end in "...". */
#define LINE_BYTES 1024

void oy_log(const oyez_log *log, oyez_log_level level, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list args;
    int len;

    if (!log || !log->write || level < log->level)
        return;
    va_start(args, format);
    len = vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    if (len < 0)
        return;
    if ((size_t)len >= sizeof(line))
        memcpy(line + sizeof(line) - 4, "...", 4);
    /* a peer's words may be in it: they must not be able to forge a line */
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    log->write(level, line, log->user);
}

static const char *level_name(oyez_log_level level)
{
    switch (level) {
    case OYEZ_LOG_DEBUG:
        return "debug";
    case OYEZ_LOG_INFO:
        return "info";
    case OYEZ_LOG_WARNING:
        return "warning";
    case OYEZ_LOG_ERROR:
        return "error";
    }
    return "log";
}

void oyez_log_stderr(oyez_log_level level, const char *line, void *user)
{
    (void)user;
    fprintf(stderr, "oyez: %s: %s\n", level_name(level), line);
}
