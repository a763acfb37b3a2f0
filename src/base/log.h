/* SPDX-License-Identifier: Apache-2.0 */
/* Formats a line for the user's sink; costs a comparison when nobody listens. */
#ifndef OY_BASE_LOG_H
#define OY_BASE_LOG_H

#include <oyez/log.h>

void oy_log(const oyez_log *log, oyez_log_level level, const char *format, ...) OYEZ_PRINTF(3, 4);

#endif
