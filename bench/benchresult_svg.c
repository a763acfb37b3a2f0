/* SPDX-License-Identifier: Apache-2.0 */
/* Latency curves, drawn by gnuplot: how long a call takes that is slower than so many others. Both axes
 * are logarithmic, the one of calls towards all of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "benchresult.h"

#define MOST_CURVES 24

static size_t the_level; /* that get_level reads: sample_of takes a plain function */
static double get_level(const run_data *d)
{
    return (double)d->levels[the_level];
}

/* In quotes, as gnuplot takes it: a quote within is written twice. */
static void print_quoted(FILE *out, const char *text)
{
    (void)fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            (void)fputc('\'', out);
        (void)fputc(*text, out);
    }
    (void)fputc('\'', out);
}

static bool has_curve(const run_set *set)
{
    return set->runs[0]->data.p50 > 0;
}

static void print_data(FILE *out, const run_set *set, size_t number)
{
    fprintf(out, "$curve%zu << EOD\n", number);
    for (the_level = 0; the_level < LATENCY_LEVELS; the_level++) {
        sample s = sample_of(set, get_level);
        double median = sample_median(&s), share = latency_levels[the_level] / 100;
        if (median > 0 && share < 1)
            fprintf(out, "%.6f %.3f\n", 1 / (1 - share), median / 1e3);
    }
    fprintf(out, "EOD\n");
}

static void print_title(FILE *out, const side *s, const run_set *set, bool several_sides)
{
    char name[512], title[700];
    (void)short_name(set->runs[0], name, sizeof(name));
    (void)snprintf(title, sizeof(title), "%s%s%s", several_sides ? s->name : "",
                   several_sides ? ": " : "", name);
    print_quoted(out, title);
}

static void print_script(FILE *out, const char *path, const side *const *sides, size_t count)
{
    size_t curves = 0, drawn = 0;
    fprintf(out, "set terminal svg size 1000,640 background 'white' noenhanced\nset output ");
    print_quoted(out, path);
    fprintf(out, "\nset logscale xy\nset grid\nset key left top\nset xrange [1:10000]\n"
                 "set xlabel 'calls that are not slower'\nset ylabel 'latency in us'\n"
                 "set xtics ('0%%%%' 1, '50%%%%' 2, '90%%%%' 10, '99%%%%' 100, '99.9%%%%' 1000, "
                 "'99.99%%%%' 10000)\n");
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < sides[i]->set_count && curves < MOST_CURVES; j++)
            if (has_curve(&sides[i]->sets[j]))
                print_data(out, &sides[i]->sets[j], curves++);
    fprintf(out, "plot ");
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < sides[i]->set_count && drawn < curves; j++) {
            if (!has_curve(&sides[i]->sets[j]))
                continue;
            fprintf(out, "%s$curve%zu using 1:2 with linespoints dashtype %zu title ",
                    drawn ? ", " : "", drawn, i + 1);
            print_title(out, sides[i], &sides[i]->sets[j], count > 1);
            drawn++;
        }
    }
    fprintf(out, "\n");
}

bool draw_svg(const char *path, const side *const *sides, size_t count)
{
    size_t curves = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < sides[i]->set_count; j++)
            curves += has_curve(&sides[i]->sets[j]);
    if (curves == 0) {
        fprintf(stderr, "--svg: none of the runs has latencies\n");
        return false;
    }
    if (curves > MOST_CURVES)
        fprintf(stderr, "--svg: the first %d of %zu curves are drawn\n", MOST_CURVES, curves);
    FILE *out = popen("exec gnuplot", "w");
    if (!out) {
        fprintf(stderr, "--svg: gnuplot cannot be started\n");
        return false;
    }
    print_script(out, path, sides, count);
    int status = pclose(out);
    if (status == 0)
        return true;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        fprintf(stderr, "--svg: gnuplot is not installed (Debian: gnuplot-nox)\n");
    else
        fprintf(stderr, "--svg: gnuplot could not write %s\n", path);
    return false;
}
