/* SPDX-License-Identifier: Apache-2.0 */
/* Runs protoc-gen-c. It reads its whole request before it writes, so one pipe after the other will
 * do. The environment variable OYEZ_PROTOC_GEN_C names another program than the one found when this
 * was built; without either it is looked for in PATH. */
#define _GNU_SOURCE /* pipe2 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void *allocator_get(void *self, size_t bytes)
{
    (void)self;
    return mem_get(bytes);
}

static void allocator_put(void *self, void *memory)
{
    (void)self;
    (void)memory;
}

ProtobufCAllocator *child_allocator(void)
{
    static ProtobufCAllocator allocator = {.alloc = allocator_get, .free = allocator_put};
    return &allocator;
}

bool child_read(int fd, text *ret_bytes)
{
    char part[65536];
    for (;;) {
        ssize_t len = read(fd, part, sizeof(part));
        if (len < 0 && errno == EINTR)
            continue;
        if (len <= 0)
            return len == 0;
        text_add(ret_bytes, part, (size_t)len);
    }
}

bool child_write(int fd, const void *data, size_t len)
{
    const char *at = data;
    while (len) {
        ssize_t written = write(fd, at, len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        at += written;
        len -= (size_t)written;
    }
    return true;
}

static const char *program(void)
{
    const char *named = getenv("OYEZ_PROTOC_GEN_C");
    if (named && *named)
        return named;
#ifdef OYEZ_PROTOC_GEN_C
    if (access(OYEZ_PROTOC_GEN_C, X_OK) == 0)
        return OYEZ_PROTOC_GEN_C;
#endif
    return "protoc-gen-c";
}

/* Starts it with the pipes as standard input and output; all four ends are closed on exec. */
static int start(const char *path, const int in[2], const int out[2], pid_t *ret_pid)
{
    /* the program asks its name what it is to do */
    char *argv[] = {"protoc-gen-c", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    int err = posix_spawn_file_actions_init(&actions);

    if (err)
        return err;
    err = posix_spawnattr_init(&attributes);
    if (err) {
        posix_spawn_file_actions_destroy(&actions);
        return err;
    }
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    err = posix_spawnp(ret_pid, path, &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return err;
}

/* Gives it `request`, takes `response`, waits for its end. */
static bool talk(run *r, const text *request, text *response)
{
    const char *path = program();
    int in[2] = {-1, -1}, out[2] = {-1, -1}, err = 0, status = 0;
    bool ok = false;
    pid_t pid;

    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
        run_fail(r, "a pipe cannot be made: %s", strerror(errno));
        goto done;
    }
    err = start(path, in, out, &pid);
    if (err) {
        run_fail(r,
                 "%s cannot be run: %s. It writes the messages: install it (Debian: "
                 "protobuf-c-compiler), or name it in the environment variable OYEZ_PROTOC_GEN_C",
                 path, strerror(err));
        goto done;
    }
    close(in[0]);
    close(out[1]);
    in[0] = out[1] = -1;
    ok = child_write(in[1], request->data, request->len);
    close(in[1]);
    in[1] = -1;
    ok = child_read(out[0], response) && ok;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFSIGNALED(status))
        ok = run_fail(r, "%s was killed by signal %d", path, WTERMSIG(status));
    else if (!ok || WEXITSTATUS(status) != 0)
        ok = run_fail(r, "%s failed with exit code %d", path, WEXITSTATUS(status));
done:
    for (int i = 0; i < 2; i++) {
        if (in[i] >= 0)
            close(in[i]);
        if (out[i] >= 0)
            close(out[i]);
    }
    return ok;
}

static void append_files(Plugin__Response *response, const Plugin__Response *more)
{
    size_t count = response->n_file + more->n_file;
    Plugin__Response__File **files = mem_get((count + 1) * sizeof(*files));

    for (size_t i = 0; i < response->n_file; i++)
        files[i] = response->file[i];
    for (size_t i = 0; i < more->n_file; i++)
        files[response->n_file + i] = more->file[i];
    response->file = files;
    response->n_file = count;
}

bool child_run(run *r, const Plugin__Request *request, Plugin__Response *response)
{
    text in = {0}, out = {0};
    const Plugin__Response *answer;

    in.len = plugin__request__get_packed_size(request);
    in.data = mem_get(in.len + 1);
    plugin__request__pack(request, (uint8_t *)in.data);
    if (!talk(r, &in, &out))
        return false;
    answer = plugin__response__unpack(child_allocator(), out.len, (const uint8_t *)text_of(&out));
    if (answer == NULL)
        return run_fail(r, "%s gave no readable answer", program());
    if (answer->error)
        return run_fail(r, "protoc-gen-c: %s", answer->error);
    append_files(response, answer);
    return true;
}
