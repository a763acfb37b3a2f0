/* SPDX-License-Identifier: Apache-2.0 */
/* A server that runs out of descriptors rests instead of spinning, keeps the connections that it has, and takes new ones as
 * soon as it can. In a process of its own, for the limit is the process's. */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "client_support.h"
#include "life_support.h"
#include "support/raw_peer.h"
#include "support/test.h"

#define PLACES 8 /* connections that the server can have */

typedef struct report {
    uint16_t port;
} report;

static int open_descriptors(void)
{
    int highest = 0;
    DIR *dir = opendir("/proc/self/fd");
    struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        const int fd = (int)strtol(entry->d_name, NULL, 10);
        if (fd > highest && fd != dirfd(dir))
            highest = fd;
    }
    if (dir)
        closedir(dir);
    return highest + 1;
}

/* Never returns. */
static void run_server(int to_parent)
{
    const oyez_runtime_options runtime_options = {OYEZ_RUNTIME_OPTIONS_INIT, .loops = 1};
    const oyez_log log = {oyez_log_stderr, NULL, OYEZ_LOG_ERROR};
    oyez_runtime *runtime;
    life_server life;
    report ready;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (oyez_runtime_new(&runtime_options, &runtime))
        _exit(1);
    const oyez_server_options options = {OYEZ_SERVER_OPTIONS_INIT, .runtime = runtime, .log = log};
    life_server_make(&life, &options);
    life_server_start(&life);
    const struct rlimit limit = {(rlim_t)open_descriptors() + PLACES, (rlim_t)open_descriptors() + PLACES};
    if (setrlimit(RLIMIT_NOFILE, &limit))
        _exit(2);
    ready.port = life.port;
    if (write(to_parent, &ready, sizeof(ready)) != sizeof(ready))
        _exit(3);
    _exit(oyez_server_serve(life.server) ? 4 : 0);
}

/* Clock ticks of CPU time that the process has used. */
static unsigned long long cpu_ticks(pid_t pid)
{
    char path[64], text[1024] = "";
    unsigned long long user = 0, system = 0;
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t len = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[len] = '\0';
    const char *rest = strrchr(text, ')');
    assert_non_null(rest);
    assert_int_equal(sscanf(rest + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user, &system), 2);
    return user + system;
}

static bool answers(raw_peer *peer)
{
    if (!raw_call(peer, 1, life_echo.path, "hello", 5))
        return false;
    return RAW_UNTIL(peer, raw_find(peer, 1) && raw_find(peer, 1)->ended);
}

static void out_of_descriptors(void **state)
{
    int ends[2];
    report ready;
    raw_peer *peers[3 * PLACES];
    (void)state;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork(); /* no thread yet but this one */
    assert_true(child >= 0);
    if (child == 0)
        run_server(ends[1]);
    assert_int_equal(read(ends[0], &ready, sizeof(ready)), sizeof(ready));

    for (int i = 0; i < 3 * PLACES; i++)
        peers[i] = raw_connect(ready.port); /* the kernel takes them all */
    for (int i = 0; i < PLACES; i++) {
        raw_greet(peers[i]);
        assert_true(answers(peers[i]));
    }
    const unsigned long long before = cpu_ticks(child);
    raw_sleep_ms(1000);
    assert_true(cpu_ticks(child) - before <= (unsigned long long)sysconf(_SC_CLK_TCK) / 5); /* it does not spin */
    assert_true(raw_request(peers[0], 3, life_echo.path)); /* those that it has go on */
    assert_true(raw_message(peers[0], 3, "still", 5, RAW_END));
    raw_expect_ok(peers[0], 3, "still", 5);

    for (int i = 0; i < 2 * PLACES; i++) { /* each place that is left is taken */
        raw_close(peers[i]);
        raw_peer *next = peers[i + PLACES];
        raw_greet(next);
        assert_true(answers(next));
    }
    for (int i = 2 * PLACES; i < 3 * PLACES; i++)
        raw_close(peers[i]);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(ends[0]);
    close(ends[1]);
}

OY_TEST_GROUP(e2e_life_fds, cmocka_unit_test(out_of_descriptors));
