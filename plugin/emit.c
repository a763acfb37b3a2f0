/* SPDX-License-Identifier: Apache-2.0 */
/* What header and source have in common: the words that forms name, and comments. */
#include "emit.h"

#include <string.h>

#include "spelling.h"

/* A line, with what would end the comment or begin another one pulled apart. */
static void add_line(text *out, const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        text_add(out, line + i, 1);
        if (i + 1 < len &&
            ((line[i] == '*' && line[i + 1] == '/') || (line[i] == '/' && line[i + 1] == '*')))
            text_puts(out, " ");
    }
}

void emit_comment_lines(text *out, const char *margin, const char *comment)
{
    size_t len = strlen(comment);

    while (len && strchr(" \t\r\n", comment[len - 1]))
        len--;
    while (len) {
        const char *newline = memchr(comment, '\n', len);
        size_t line = newline ? (size_t)(newline - comment) : len;
        size_t shown = line;
        while (shown && strchr(" \t\r", comment[shown - 1]))
            shown--;
        text_puts(out, margin);
        text_puts(out, " *");
        if (shown && comment[0] != ' ')
            text_puts(out, " ");
        add_line(out, comment, shown);
        text_puts(out, "\n");
        comment += line + (newline != NULL);
        len -= line + (newline != NULL);
    }
}

void emit_method_comment(text *out, const method *m)
{
    if (m->comment == NULL)
        return;
    emit_comment_lines(out, "", m->comment);
    text_puts(out, " *\n");
}

/* The one request, or the one reply, that a method has beside its stream, between two words; or
 * nothing. */
static const char *one_request(const method *m, const char *before, const char *after)
{
    bool has = m && m->shape == SHAPE_SERVER_STREAM;
    return has ? str_printf("%s%s%s", before, m->in.c_name, after) : "";
}

static const char *one_reply(const method *m, const char *before, const char *after)
{
    bool has = m && m->shape == SHAPE_CLIENT_STREAM;
    return has ? str_printf("%s%s%s", before, m->out.c_name, after) : "";
}

const char *const *emit_keys(const file *f, const service *s, const method *m)
{
    const char *const all[] = {
        "proto",
        f->proto,
        "stem",
        f->stem,
        "guard",
        spell_guard(f->proto),
        "version",
        NEEDS_VERSION,
        "number",
        NEEDS_VERSION_NUMBER,
        "service",
        s ? s->full_name : "",
        "prefix",
        s ? s->prefix : "",
        "PREFIX",
        s ? spell_upper(s->prefix) : "",
        "methods",
        s && s->method_count ? "methods" : "NULL",
        "count",
        s && s->method_count ? "sizeof(methods) / sizeof(methods[0])" : "0",
        "Method",
        m ? m->proto_name : "",
        "method",
        m ? m->name : "",
        "fn",
        m ? m->fn : "",
        "FN",
        m ? spell_upper(m->fn) : "",
        "In",
        m ? m->in.c_name : "",
        "Out",
        m ? m->out.c_name : "",
        "in",
        m ? m->in.lower : "",
        "out",
        m ? m->out.lower : "",
        "client",
        m && shape_client_sends(m->shape) ? "true" : "false",
        "server",
        m && shape_server_sends(m->shape) ? "true" : "false",
        "start_in",
        one_request(m, "    const ", " *request,\n"),
        "give_in",
        m && m->shape == SHAPE_SERVER_STREAM ? "request" : "NULL",
        "member_in",
        one_request(m, ",\n        const ", " *request"),
        "member_out",
        one_reply(m, ",\n        ", " *reply"),
        "pass_in",
        one_request(m, ", (const ", " *)request"),
        "pass_out",
        one_reply(m, ", (", " *)reply"),
        "no_in",
        m && m->shape != SHAPE_SERVER_STREAM ? "    (void)request;\n" : "",
        "no_out",
        m && m->shape != SHAPE_CLIENT_STREAM ? "    (void)reply;\n" : "",
        NULL,
    };
    const char **keys = mem_get(sizeof(all));
    memcpy(keys, all, sizeof(all));
    return keys;
}
