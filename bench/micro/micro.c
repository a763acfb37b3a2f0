/* SPDX-License-Identifier: Apache-2.0 */
/* Timing: rounds are doubled until they take five milliseconds, then the median of eleven such batches
 * counts. It is processor time of this thread, for other processes are of no interest. Instructions come from the processor's counter where the system lets us have it; beneath
 * callgrind each case runs a fixed number of rounds and leaves its count in a file of its own. */
#define _GNU_SOURCE
#include "micro.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define RUNNING_ON_VALGRIND             0
#define CALLGRIND_START_INSTRUMENTATION (void)0
#define CALLGRIND_STOP_INSTRUMENTATION  (void)0
#define CALLGRIND_ZERO_STATS            (void)0
#define CALLGRIND_DUMP_STATS_AT(name)   (void)(name)
#endif

#define BATCHES        11
#define LEAST_NS       5000000.0
#define COUNTED_ROUNDS 1000

void micro_must(int good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "what is to be measured fails: %s\n", what);
    exit(1);
}

static double now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* --- instructions ----------------------------------------------------------------------------- */

/* Of this process and its threads, in user mode. -1: not permitted, or there is no counter. */
static int open_counter(void)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof(attr),
        .config = PERF_COUNT_HW_INSTRUCTIONS,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .inherit = 1,
    };
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t read_counter(int fd)
{
    uint64_t value = 0;
    return fd >= 0 && read(fd, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

/* --- one case --------------------------------------------------------------------------------- */

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Beneath callgrind the work alone is counted, after it has been done once so that all is in place. */
static void count_case(const micro_case *c, void *state)
{
    uint64_t rounds = c->counted ? c->counted : COUNTED_ROUNDS;
    char label[128];
    (void)snprintf(label, sizeof(label), "%s %" PRIu64, c->name, rounds);
    c->run(state, rounds);
    CALLGRIND_ZERO_STATS;
    c->run(state, rounds);
    CALLGRIND_DUMP_STATS_AT(label);
    printf("%s: %" PRIu64 " rounds\n", c->name, rounds);
}

static void time_case(const micro_case *c, void *state, int counter)
{
    double times[BATCHES], took = 0;
    uint64_t rounds = 1, instructions;
    while (true) {
        double begin = now_ns();
        c->run(state, rounds);
        took = now_ns() - begin;
        if (took >= LEAST_NS)
            break;
        rounds *= 2;
    }
    instructions = read_counter(counter);
    for (size_t i = 0; i < BATCHES; i++) {
        double begin = now_ns();
        c->run(state, rounds);
        times[i] = (now_ns() - begin) / (double)rounds;
    }
    instructions = read_counter(counter) - instructions;
    qsort(times, BATCHES, sizeof(times[0]), compare_doubles);
    printf("{\"name\": \"%s\", \"ns\": %.2f, \"ns_least\": %.2f, \"ns_most\": %.2f", c->name,
           times[BATCHES / 2], times[0], times[BATCHES - 1]);
    if (counter >= 0)
        printf(", \"instructions\": %.1f", (double)instructions / (double)rounds / BATCHES);
    printf("}\n");
    (void)fflush(stdout);
}

/* --- the program ------------------------------------------------------------------------------ */

static bool wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strstr(name, argv[i]))
            return true;
    return argc < 2;
}

int micro_main(const micro_case *const *lists, size_t count, int argc, char **argv)
{
    if (argc > 1 && argv[1][0] == '-') {
        FILE *out = strcmp(argv[1], "--help") == 0 ? stdout : stderr;
        fprintf(out,
                "usage: %s [NAME...]\nMeasures the cases whose names contain one of these words, a "
                "line of JSON each. Beneath\nvalgrind --tool=callgrind it leaves a file of counts "
                "for each.\n",
                argv[0]);
        return out == stdout ? 0 : 2;
    }
    /* Before there are threads, which inherit it. */
    int counter = RUNNING_ON_VALGRIND ? -1 : open_counter(), ran = 0;
    for (size_t i = 0; i < count; i++) {
        for (const micro_case *c = lists[i]; c->name; c++) {
            if (!wanted(c->name, argc, argv))
                continue;
            void *state = c->prepare ? c->prepare() : NULL;
            if (RUNNING_ON_VALGRIND)
                count_case(c, state);
            else
                time_case(c, state, counter);
            if (c->end)
                c->end(state);
            ran++;
        }
    }
    if (ran == 0)
        fprintf(stderr, "there is no such case\n");
    return ran == 0;
}
