/* SPDX-License-Identifier: Apache-2.0 */
/* Options about the life of connections. There is no server yet that could keep the words: what is wrong goes to the log. */
#include "base/log.h"
#include "server/server_impl.h"

static oyez_err check(const oyez_server_options *options)
{
    const struct {
        const char *name;
        oyez_duration value;
    } durations[] = {
        { "keepalive_time", options->keepalive_time },
        { "keepalive_timeout", options->keepalive_timeout },
        { "keepalive_min_time", options->keepalive_min_time },
        { "max_connection_idle", options->max_connection_idle },
        { "max_connection_age", options->max_connection_age },
        { "max_connection_age_grace", options->max_connection_age_grace },
    };
    for (size_t i = 0; i < sizeof(durations) / sizeof(durations[0]); i++) {
        if (durations[i].value < 0) {
            oy_log(&options->log, OYEZ_LOG_ERROR, "server options: %s: expected no negative duration",
                   durations[i].name);
            return OYEZ_EINVAL;
        }
    }
    return OYEZ_NO_ERR;
}

oyez_err oy_server_complete_life_options(oyez_server_options *options)
{
    oyez_err err = check(options);
    if (err)
        return err;
    if (!options->keepalive_time)
        options->keepalive_time = OY_KEEPALIVE_SERVER_TIME;
    if (options->keepalive_time < OY_KEEPALIVE_SERVER_LEAST) {
        options->keepalive_time = OY_KEEPALIVE_SERVER_LEAST;
        oy_log(&options->log, OYEZ_LOG_WARNING, "server options: keepalive_time is raised to 1 s");
    }
    if (!options->keepalive_timeout)
        options->keepalive_timeout = OY_KEEPALIVE_TIMEOUT;
    if (!options->keepalive_min_time)
        options->keepalive_min_time = OY_PING_MIN_TIME;
    return OYEZ_NO_ERR;
}
