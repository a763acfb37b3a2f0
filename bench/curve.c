/* SPDX-License-Identifier: Apache-2.0 */
/* Reading curves and drawing from them; SHA-256 for their names (FIPS 180-4). */
#include "curve.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE 65536

/* --- SHA-256 ---------------------------------------------------------------------------------- */

static uint32_t turned(uint32_t value, unsigned bits)
{
    return value >> bits | value << (32 - bits);
}

/* The first 32 bits behind the point of the roots of the first primes: FIPS 180-4 §4.2.2, §5.3.3. */
static uint32_t root_bits(unsigned prime, bool cube)
{
    double root = cube ? cbrt((double)prime) : sqrt((double)prime);
    return (uint32_t)((root - floor(root)) * 4294967296.0);
}

static void make_constants(uint32_t state[8], uint32_t rounds[64])
{
    size_t found = 0;
    for (unsigned n = 2; found < 64; n++) {
        bool prime = true;
        for (unsigned d = 2; d * d <= n && prime; d++)
            prime = n % d != 0;
        if (!prime)
            continue;
        if (found < 8)
            state[found] = root_bits(n, false);
        rounds[found++] = root_bits(n, true);
    }
}

static void sha256_block(uint32_t state[8], const uint32_t rounds[64], const uint8_t *block)
{
    uint32_t w[64], s[8];
    for (size_t i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (size_t i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[i - 7] +
               (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof(s));
    for (size_t i = 0; i < 64; i++) {
        uint32_t one = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) + rounds[i] + w[i];
        uint32_t two = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
                       ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof(s[0]));
        s[4] += one;
        s[0] = one + two;
    }
    for (size_t i = 0; i < 8; i++)
        state[i] += s[i];
}

static void sha256_name(const uint8_t *data, size_t len, char name[CURVE_NAME_BYTES])
{
    uint32_t state[8], rounds[64];
    uint8_t last[128] = {0};
    size_t whole = len / 64 * 64, rest = len - whole, tail = rest < 56 ? 64 : 128;
    make_constants(state, rounds);
    for (size_t at = 0; at < whole; at += 64)
        sha256_block(state, rounds, data + at);
    memcpy(last, data + whole, rest);
    last[rest] = 0x80;
    for (size_t i = 0; i < 8; i++)
        last[tail - 1 - i] = (uint8_t)((uint64_t)len * 8 >> (8 * i));
    for (size_t at = 0; at < tail; at += 64)
        sha256_block(state, rounds, last + at);
    for (size_t i = 0; i < 8; i++)
        (void)snprintf(name + 8 * i, 9, "%08" PRIx32, state[i]);
}

/* --- the file --------------------------------------------------------------------------------- */

/* A number up to `stop`; moves `at` behind it. */
static bool read_number(char **at, char stop, double *ret_value)
{
    char *end;
    *ret_value = strtod(*at, &end);
    if (end == *at || (stop ? *end != stop : *end != '\0' && *end != '\r') || !isfinite(*ret_value))
        return false;
    *at = end + 1;
    return true;
}

static bool read_line(curve *c, char *line, int32_t most, double *sum)
{
    double from, to, weight;
    char *at = line;
    if (c->count == CURVE_RANGES || !read_number(&at, ',', &from) || !read_number(&at, ',', &to) ||
        !read_number(&at, '\0', &weight))
        return false;
    if (from < 1 || to < from || to > most || floor(from) < from || floor(to) < to || weight < 0)
        return false;
    *sum += weight;
    c->ranges[c->count].from = (int32_t)from;
    c->ranges[c->count].to = (int32_t)to;
    c->ranges[c->count++].share = weight;
    return true;
}

static int compare_ranges(const void *a, const void *b)
{
    /* Each begins with its first size. */
    int32_t x, y;
    memcpy(&x, a, sizeof(x));
    memcpy(&y, b, sizeof(y));
    return (x > y) - (x < y);
}

/* Sorts the ranges and makes their weights into shares. */
static bool finish(curve *c, double sum)
{
    double share = 0;
    if (c->count == 0 || !(sum > 0))
        return false;
    qsort(c->ranges, c->count, sizeof(c->ranges[0]), compare_ranges);
    for (size_t i = 0; i < c->count; i++) {
        if (i > 0 && c->ranges[i].from <= c->ranges[i - 1].to)
            return false;
        share += c->ranges[i].share / sum;
        c->ranges[i].share = share;
    }
    return true;
}

static bool parse(curve *c, char *text, const char *path, int32_t most)
{
    double sum = 0;
    int number = 1;
    for (char *line = text; *line; number++) {
        char *end = strchr(line, '\n'), *next = end ? end + 1 : line + strlen(line);
        if (end)
            *end = '\0';
        if (*line && *line != '\r' && !read_line(c, line, most, &sum)) {
            fprintf(stderr,
                    "%s:%d: \"%s\" is not from,to,weight with sizes from 1 to %" PRId32
                    " (and not more than %d lines)\n",
                    path, number, line, most, CURVE_RANGES);
            return false;
        }
        line = next;
    }
    if (finish(c, sum))
        return true;
    fprintf(stderr, "%s: a curve needs a weight, and ranges that do not overlap\n", path);
    return false;
}

curve *curve_load(const char *path, int32_t most)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, MAX_FILE + 1);
    curve *c = calloc(1, sizeof(*c));
    bool ok = file && text && c;
    if (!ok) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    } else {
        size_t len = fread(text, 1, MAX_FILE + 1, file);
        ok = len <= MAX_FILE && !ferror(file) && strlen(text) == len;
        if (!ok)
            fprintf(stderr, "%s: not a text of at most %d bytes\n", path, MAX_FILE);
        else
            sha256_name((const uint8_t *)text, len, c->name);
        ok = ok && parse(c, text, path, most);
    }
    if (file)
        (void)fclose(file);
    free(text);
    if (ok)
        return c;
    free(c);
    return NULL;
}

/* --- sizes ------------------------------------------------------------------------------------ */

uint64_t bench_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

int32_t curve_least(const curve *c)
{
    return c->ranges[0].from;
}

int32_t curve_most(const curve *c)
{
    return c->ranges[c->count - 1].to;
}

int32_t curve_draw(const curve *c, uint64_t *random)
{
    double target = (double)(bench_random(random) >> 11) / 9007199254740992.0;
    size_t i = 0;
    while (i + 1 < c->count && c->ranges[i].share < target)
        i++;
    uint64_t width = (uint64_t)(c->ranges[i].to - c->ranges[i].from) + 1;
    return c->ranges[i].from + (int32_t)(bench_random(random) % width);
}
