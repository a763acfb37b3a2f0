/* SPDX-License-Identifier: Apache-2.0 */
/* benchresult: shows the result files of benchmain. One file: a table of its runs. Two: for each run
 * that both have, before and after. As gRPC-Go's program of that name, but percentages are of the
 * figures themselves, not of what is left when the point and what follows are cut off, and runs come in
 * the order of the second side. A side may be several files, and a file may hold the same run several
 * times. */
#include "benchresult.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: benchresult [--svg PICTURE] FILE\n"
                            "       benchresult [--svg PICTURE] BEFORE AFTER\n"
                            "       benchresult [--svg PICTURE] BEFORE... -- AFTER...\n"
                            "Shows result files of benchmain (-resultFile): one side as a table, "
                            "two as before and after. Of\n"
                            "several runs of the same features the medians are shown, and whether "
                            "a difference may be chance.\n"
                            "--svg has gnuplot draw the latencies.\n";

bool is_same_run(const bench_result *a, const bench_result *b)
{
    char x[1024], y[1024];
    bool own = a->features.handler[0] && b->features.handler[0];
    return strcmp(a->mode, b->mode) == 0 &&
           strcmp(features_name(&a->features, own, x, sizeof(x)),
                  features_name(&b->features, own, y, sizeof(y))) == 0;
}

const char *short_name(const bench_result *r, char *dst, size_t cap)
{
    size_t len = (size_t)snprintf(dst, cap, "%s", r->mode);
    for (feature which = 0; which < FEATURES && len < cap; which++) {
        char text[FEATURE_WORD_BYTES];
        if (r->shared[which] || !feature_has(&r->features, which))
            continue;
        len += (size_t)snprintf(dst + len, cap - len, "-%s_%s", feature_infos[which].name,
                                feature_text(&r->features, which, text, sizeof(text)));
    }
    return dst;
}

/* --- a side ----------------------------------------------------------------------------------- */

static bool side_add(side *s, const char *path)
{
    bench_result *loaded = NULL;
    size_t count = 0;
    if (!results_load(path, &loaded, &count))
        return false;
    bench_result *all = realloc(s->results, (s->result_count + count) * sizeof(*all));
    if (all) {
        memcpy(all + s->result_count, loaded, count * sizeof(*all));
        s->results = all;
        s->result_count += count;
    } else {
        fprintf(stderr, "benchresult: out of memory\n");
    }
    free(loaded);
    return all != NULL;
}

/* Puts the runs of the same features together. */
static bool side_sort(side *s)
{
    s->sets = calloc(s->result_count, sizeof(*s->sets));
    for (size_t i = 0; s->sets && i < s->result_count; i++) {
        size_t j = 0;
        while (j < s->set_count && !is_same_run(s->sets[j].runs[0], &s->results[i]))
            j++;
        run_set *set = &s->sets[j];
        s->set_count = j == s->set_count ? j + 1 : s->set_count;
        if (set->count == MAX_RUNS) {
            fprintf(stderr, "%s: more than %d runs of the same features\n", s->name, MAX_RUNS);
            return false;
        }
        set->runs[set->count++] = &s->results[i];
    }
    return s->sets != NULL;
}

/* --- the program ------------------------------------------------------------------------------ */

typedef struct arguments {
    const char *svg;
    const char *const *files[2];
    size_t counts[2];
} arguments;

/* False: what was given makes no sense. */
static bool parse(int argc, const char *const *argv, arguments *a)
{
    int i = 1;
    if (i < argc && strcmp(argv[i], "--svg") == 0) {
        if (i + 1 >= argc)
            return false;
        a->svg = argv[i + 1];
        i += 2;
    } else if (i < argc && strncmp(argv[i], "--svg=", 6) == 0) {
        a->svg = argv[i++] + 6;
    }
    int rest = argc - i, split = i;
    while (split < argc && strcmp(argv[split], "--") != 0)
        split++;
    a->files[0] = argv + i;
    if (split < argc) {
        a->counts[0] = (size_t)(split - i);
        a->files[1] = argv + split + 1;
        a->counts[1] = (size_t)(argc - split - 1);
        return a->counts[0] > 0 && a->counts[1] > 0;
    }
    a->counts[0] = rest > 0 ? 1 : 0;
    a->files[1] = argv + i + 1;
    a->counts[1] = rest == 2 ? 1 : 0;
    return (rest == 1 || rest == 2) && (argv[i][0] != '-' || argv[i][1] == '\0');
}

static bool load(const arguments *a, size_t which, side *s)
{
    s->name = a->files[which][0];
    for (size_t i = 0; i < a->counts[which]; i++)
        if (!side_add(s, a->files[which][i]))
            return false;
    return side_sort(s);
}

static bool show(const arguments *a, const side *before, const side *after)
{
    const side *const sides[] = {before, after};
    size_t count = a->counts[1] > 0 ? 2 : 1;
    if (count == 1) {
        print_table(before);
    } else if (print_comparison(before, after) == 0) {
        fprintf(stderr, "%s and %s have no run in common\n", before->name, after->name);
        return false;
    }
    return !a->svg || draw_svg(a->svg, sides, count);
}

int main(int argc, char **argv)
{
    arguments a = {.svg = NULL};
    side sides[2] = {{.results = NULL}, {.results = NULL}};
    bool help = argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-help") == 0);
    if (help || !parse(argc, (const char *const *)argv, &a)) {
        fputs(usage, help ? stdout : stderr);
        return help ? 0 : 2;
    }
    (void)signal(SIGPIPE, SIG_IGN); /* of a gnuplot that is not there */
    bool ok = load(&a, 0, &sides[0]) && (a.counts[1] == 0 || load(&a, 1, &sides[1]));
    ok = ok && show(&a, &sides[0], &sides[1]);
    for (size_t i = 0; i < 2; i++) {
        free(sides[i].sets);
        free(sides[i].results);
    }
    return ok ? 0 : 1;
}
