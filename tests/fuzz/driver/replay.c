/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one fuzz target without a fuzzer: every corpus file as it is, then mutations of each from a
 * fixed seed, so that a run can be repeated.
 *
 *   fuzz_<name> [-m MUTATIONS] [-s SEED] [FILE or DIRECTORY ...]
 *
 * Without arguments the target's own corpus. MUTATIONS (default 1000) are made of each file, and at
 * most 20 times as many in all. A crash prints the input as hexadecimal digits first. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define INPUT_MAX_BYTES ((size_t)1 << 16)
#define SEEDS_MAX 4096

int OY_FUZZ_TARGET(const uint8_t *data, size_t len);

typedef struct seed_file {
    uint8_t *data;
    size_t len;
} seed_file;

static seed_file seeds[SEEDS_MAX];
static size_t seed_count;
static uint64_t random_state;
/* The input that is being run, for the crash report. */
static const uint8_t *volatile current_data;
static volatile size_t current_len;

/* xorshift64*: good enough to choose mutations, and the same everywhere. */
static uint64_t next_random(void)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * UINT64_C(0x2545F4914F6CDD1D);
}

static size_t below(size_t limit)
{
    return limit == 0 ? 0 : (size_t)(next_random() % limit);
}

static void print_current(void)
{
    static const char digits[] = "0123456789abcdef";
    char line[128];
    size_t at = 0;
    const uint8_t *data = current_data;
    size_t len = current_len < 4096 ? current_len : 4096;
    static const char head[] = "\nfuzz " OY_FUZZ_NAME ": crashed on this input:\n";
    if (write(2, head, sizeof(head) - 1) < 0)
        return;
    for (size_t i = 0; i < len; i++) {
        line[at++] = digits[data[i] >> 4];
        line[at++] = digits[data[i] & 15];
        if (at + 3 > sizeof(line) || i + 1 == len) {
            line[at++] = '\n';
            if (write(2, line, at) < 0)
                return;
            at = 0;
        }
    }
}

static void on_crash(int number)
{
    print_current();
    signal(number, SIG_DFL);
    raise(number);
}

#if defined(__SANITIZE_ADDRESS__)
void __sanitizer_set_death_callback(void (*callback)(void));
#endif

/* The target gets a block of exactly `len` bytes, so that reading past it is seen. */
static void run(const uint8_t *data, size_t len)
{
    uint8_t *copy = malloc(len ? len : 1);
    if (copy == NULL)
        abort();
    if (len > 0)
        memcpy(copy, data, len);
    current_data = copy;
    current_len = len;
    OY_FUZZ_TARGET(copy, len);
    current_len = 0;
    current_data = NULL;
    free(copy);
}

static void add_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "fuzz %s: %s: %s\n", OY_FUZZ_NAME, path, strerror(errno));
        exit(2);
    }
    uint8_t *data = malloc(INPUT_MAX_BYTES);
    if (data == NULL || seed_count == SEEDS_MAX) {
        fprintf(stderr, "fuzz %s: too many seeds\n", OY_FUZZ_NAME);
        exit(2);
    }
    size_t len = fread(data, 1, INPUT_MAX_BYTES, file);
    fclose(file);
    seeds[seed_count++] = (seed_file){data, len};
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_path(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        add_file(path);
        return;
    }
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, NULL, by_name);
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') {
            char full[4096];
            snprintf(full, sizeof(full), "%s/%s", path, entries[i]->d_name);
            add_file(full);
        }
        free(entries[i]);
    }
    free(entries);
}

/* One change to `buf`; returns the new length. */
static size_t mutate_once(uint8_t *buf, size_t len)
{
    static const uint8_t edges[] = {0x00, 0x01, 0x7f, 0x80, 0xff, 0x20, 0x0a};
    size_t at = below(len);
    size_t count = 1 + below(16);
    switch (below(8)) {
    case 0: /* flip a bit */
        if (len > 0)
            buf[at] ^= (uint8_t)(1u << below(8));
        return len;
    case 1: /* any byte */
        if (len > 0)
            buf[at] = (uint8_t)next_random();
        return len;
    case 2: /* a byte at an edge */
        if (len > 0)
            buf[at] = edges[below(sizeof(edges))];
        return len;
    case 3: /* cut the end */
        return at;
    case 4: /* delete some bytes */
        if (count > len - at)
            count = len - at;
        memmove(buf + at, buf + at + count, len - at - count);
        return len - count;
    case 5: /* insert some bytes */
        if (len + count > INPUT_MAX_BYTES)
            return len;
        memmove(buf + at + count, buf + at, len - at);
        for (size_t i = 0; i < count; i++)
            buf[at + i] = (uint8_t)next_random();
        return len + count;
    case 6: { /* repeat a piece */
        size_t piece = 1 + below(len - at > 64 ? 64 : len - at);
        if (piece > len - at || len + piece > INPUT_MAX_BYTES)
            return len;
        memmove(buf + at + piece, buf + at, len - at);
        return len + piece;
    }
    default: { /* the tail of another seed */
        const seed_file *other = &seeds[below(seed_count)];
        size_t from = below(other->len);
        size_t take = other->len - from;
        if (take > INPUT_MAX_BYTES - at)
            take = INPUT_MAX_BYTES - at;
        if (take > 0)
            memcpy(buf + at, other->data + from, take);
        return at + take;
    }
    }
}

static size_t run_mutations(size_t each, size_t cap)
{
    static uint8_t buf[INPUT_MAX_BYTES];
    size_t done = 0;
    for (size_t round = 0; round < each && done < cap; round++) {
        for (size_t i = 0; i < seed_count && done < cap; i++, done++) {
            size_t len = seeds[i].len;
            if (len > 0)
                memcpy(buf, seeds[i].data, len);
            for (size_t changes = 1 + below(6); changes > 0; changes--)
                len = mutate_once(buf, len);
            run(buf, len);
        }
    }
    return done;
}

int main(int argc, char **argv)
{
    size_t each = 1000;
    uint64_t seed = 1;
    int option;
    while ((option = getopt(argc, argv, "m:s:")) != -1) {
        if (option == 'm')
            each = (size_t)strtoull(optarg, NULL, 10);
        else if (option == 's')
            seed = strtoull(optarg, NULL, 10);
        else
            return 2;
    }
    random_state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_set_death_callback(print_current);
#else
    signal(SIGSEGV, on_crash);
    signal(SIGBUS, on_crash);
    signal(SIGFPE, on_crash);
    signal(SIGILL, on_crash);
#endif
    signal(SIGABRT, on_crash);
    if (optind == argc)
        add_path(OY_FUZZ_CORPUS);
    for (int i = optind; i < argc; i++)
        add_path(argv[i]);
    if (seed_count == 0) {
        fprintf(stderr, "fuzz %s: no seed files in %s\n", OY_FUZZ_NAME, OY_FUZZ_CORPUS);
        return 2;
    }
    for (size_t i = 0; i < seed_count; i++)
        run(seeds[i].data, seeds[i].len);
    run(NULL, 0);
    size_t mutations = run_mutations(each, each * 20);
    for (size_t i = 0; i < seed_count; i++)
        free(seeds[i].data);
    printf("fuzz %s: %zu seeds, %zu mutations, ok\n", OY_FUZZ_NAME, seed_count, mutations);
    return 0;
}
