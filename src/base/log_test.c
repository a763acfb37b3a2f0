/* SPDX-License-Identifier: Apache-2.0 */
/* Lines for the sink: level, length, and that nobody can forge one. */
#include "base/log.h"

#include <stdio.h>
#include <unistd.h>

#include "support/test.h"

typedef struct heard {
    int lines;
    oyez_log_level level;
    char text[2048];
} heard;

static void listen(oyez_log_level level, const char *line, void *user)
{
    heard *h = user;
    h->lines++;
    h->level = level;
    (void)snprintf(h->text, sizeof(h->text), "%s", line);
}

static void test_levels(void **state)
{
    heard h = { 0 };
    oyez_log log = { listen, &h, OYEZ_LOG_WARNING };
    oyez_log silent = { 0 };
    (void)state;
    oy_log(NULL, OYEZ_LOG_ERROR, "nobody");
    oy_log(&silent, OYEZ_LOG_ERROR, "nobody");
    oy_log(&log, OYEZ_LOG_INFO, "too quiet");
    assert_int_equal(h.lines, 0);
    oy_log(&log, OYEZ_LOG_WARNING, "stream %u %s", 7u, "reset");
    assert_int_equal(h.lines, 1);
    assert_int_equal(h.level, OYEZ_LOG_WARNING);
    assert_string_equal(h.text, "stream 7 reset");
    oy_log(&log, OYEZ_LOG_ERROR, "loud");
    assert_int_equal(h.lines, 2);
    log.level = 0; /* all of them */
    oy_log(&log, OYEZ_LOG_DEBUG, "soft");
    assert_int_equal(h.lines, 3);
}

static void test_no_forged_line(void **state)
{
    heard h = { 0 };
    oyez_log log = { listen, &h, OYEZ_LOG_DEBUG };
    (void)state;
    oy_log(&log, OYEZ_LOG_INFO, "peer says %s", "a\nb\r\x1b[31m\x7f\tc \xc3\xbc");
    assert_string_equal(h.text, "peer says a?b??[31m??c \xc3\xbc");
}

static void test_long_line(void **state)
{
    static char word[5000];
    heard h = { 0 };
    oyez_log log = { listen, &h, OYEZ_LOG_DEBUG };
    (void)state;
    memset(word, 'w', sizeof(word) - 1);
    oy_log(&log, OYEZ_LOG_INFO, "%s", word);
    assert_int_equal(strlen(h.text), 1023);
    assert_string_equal(h.text + 1019, "w...");
    oy_log(&log, OYEZ_LOG_INFO, "%.1023s", word);
    assert_string_equal(h.text + 1019, "wwww");
}

/* What oyez_log_stderr writes for one line. */
static void say(oyez_log_level level, char *text, size_t cap)
{
    int ends[2], old = dup(2);
    ssize_t len;
    assert_int_equal(pipe(ends), 0);
    assert_true(old >= 0 && dup2(ends[1], 2) == 2);
    oyez_log_stderr(level, "words", NULL);
    assert_int_equal(dup2(old, 2), 2);
    (void)close(ends[1]);
    (void)close(old);
    len = read(ends[0], text, cap - 1);
    assert_true(len >= 0);
    text[len] = '\0';
    (void)close(ends[0]);
}

static void test_stderr(void **state)
{
    char text[100];
    (void)state;
    say(OYEZ_LOG_WARNING, text, sizeof(text));
    assert_string_equal(text, "oyez: warning: words\n");
    say(OYEZ_LOG_DEBUG, text, sizeof(text));
    assert_string_equal(text, "oyez: debug: words\n");
    say(OYEZ_LOG_INFO, text, sizeof(text));
    assert_string_equal(text, "oyez: info: words\n");
    say(OYEZ_LOG_ERROR, text, sizeof(text));
    assert_string_equal(text, "oyez: error: words\n");
    say((oyez_log_level)42, text, sizeof(text));
    assert_string_equal(text, "oyez: log: words\n");
}

OY_TEST_GROUP(base_log, cmocka_unit_test(test_levels), cmocka_unit_test(test_no_forged_line),
              cmocka_unit_test(test_long_line), cmocka_unit_test(test_stderr));
