/* SPDX-License-Identifier: Apache-2.0 */
/* A child for tests of what must abort. */
#include "support/death.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(void (*function)(void *user), void *user, int words_to)
{
    static const struct rlimit no_core = { 0, 0 };
    (void)setrlimit(RLIMIT_CORE, &no_core);
    (void)signal(SIGABRT, SIG_DFL); /* the test runner has a handler of its own */
    if (dup2(words_to, STDERR_FILENO) == STDERR_FILENO)
        function(user);
    _exit(0);
}

bool oy_dies_with(void (*function)(void *user), void *user, const char *words)
{
    char said[4096];
    size_t len = 0;
    ssize_t got;
    int ends[2], status = 0;
    pid_t child;

    (void)fflush(NULL);
    if (pipe(ends))
        return false;
    child = fork();
    if (child == 0)
        die(function, user, ends[1]);
    (void)close(ends[1]);
    while (len < sizeof(said) - 1 && (got = read(ends[0], said + len, sizeof(said) - 1 - len)) > 0)
        len += (size_t)got;
    said[len] = '\0';
    (void)close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return false;
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(said, words) != NULL;
}
