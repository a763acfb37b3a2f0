/* SPDX-License-Identifier: Apache-2.0 */
/* getrusage and sched_setaffinity. */
#define _GNU_SOURCE
#include "usage.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

usage usage_now(void)
{
    struct rusage all;
    if (getrusage(RUSAGE_SELF, &all) != 0)
        return (usage){0, 0};
    return (usage){seconds(all.ru_utime), seconds(all.ru_stime)};
}

usage usage_between(usage before, usage after)
{
    return (usage){after.user - before.user, after.system - before.system};
}

bool usage_pin(const char *cpus)
{
    cpu_set_t set;
    if (cpus[0] == '\0')
        return true;
    CPU_ZERO(&set);
    for (;;) {
        char *end;
        unsigned long long cpu = strtoull(cpus, &end, 10);
        if (end == cpus || cpu >= CPU_SETSIZE || (*end != ',' && *end != '\0'))
            return false;
        CPU_SET((size_t)cpu, &set);
        if (*end == '\0')
            return sched_setaffinity(0, sizeof(set), &set) == 0;
        cpus = end + 1;
    }
}
