/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a request for protoc-gen-c out of protoc's:
 *
 * - Services go: protobuf-c would write tables of its own for them, whose members may be keywords.
 * - A proto3 `optional` field lies in a oneof of its own, which protoc names _field. protobuf-c knows
 *   nothing of it and would write a member `_field_case`. Named has_field it becomes `has_field_case`,
 *   and 0 and "" survive a round trip. A message needs none of it: NULL says that it is not there.
 * - Nested messages get x__pack, x__unpack and x__free_unpacked as the others do. */
#include "messages.h"

#include <ctype.h>
#include <string.h>

#include "child.h"
#include "spelling.h"

#define PBC_EXTENSION 1019

/* --- protobuf-c's options ---------------------------------------------------------------------------- */

/* The contents of extension 1019 among the unknown fields of an options message. */
static void *pbc_options(const ProtobufCMessage *holder, const ProtobufCMessageDescriptor *desc)
{
    text bytes = {0};

    for (unsigned i = 0; holder && i < holder->n_unknown_fields; i++) {
        const ProtobufCMessageUnknownField *field = &holder->unknown_fields[i];
        size_t prefix = 0;
        if (field->tag != PBC_EXTENSION || field->wire_type != PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED)
            continue;
        while (prefix < field->len && (field->data[prefix] & 0x80))
            prefix++;
        if (prefix < field->len) /* several of them are one message */
            text_add(&bytes, (const char *)field->data + prefix + 1, field->len - prefix - 1);
    }
    return protobuf_c_message_unpack(desc, child_allocator(), bytes.len,
                                     (const uint8_t *)text_of(&bytes));
}

static const Plugin__PbcFileOptions *file_options(const FileProto *f)
{
    return pbc_options(f->options ? &f->options->base : NULL,
                       &plugin__pbc_file_options__descriptor);
}

const char *messages_full_name(const FileProto *f, const char *local)
{
    const Plugin__PbcFileOptions *mine = file_options(f);
    const char *package = f->package ? f->package : "";

    if (mine && mine->c_package && *mine->c_package)
        package = mine->c_package;
    return *package ? str_printf("%s.%s", package, local) : local;
}

static const char *base_name(const MessageProto *m)
{
    const Plugin__PbcMessageOptions *options = pbc_options(
        m->options ? &m->options->base : NULL, &plugin__pbc_message_options__descriptor);
    return options && options->base_field_name ? options->base_field_name : "base";
}

/* --- what protobuf-c cannot take ------------------------------------------------------------------- */

static char *lower(const char *name)
{
    char *out = str_dup(name);
    for (char *c = out; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return out;
}

/* Where a field is, for people. */
typedef struct place {
    run *run;
    const FileProto *file;
    const char *message;
    names members; /* of the struct so far */
} place;

static bool add_member(place *at, const char *member, const char *proto_name)
{
    if (names_has(&at->members, member))
        return run_fail(at->run,
                        "%s: message %s: %s would be a second member \"%s\" of the struct in C; "
                        "rename one of the two",
                        at->file->name, at->message, proto_name, member);
    names_add(&at->members, member);
    return true;
}

static bool is_scalar(const FieldProto *field)
{
    return field->type != GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_STRING &&
           field->type != GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_MESSAGE;
}

static bool check_field(place *at, const FieldProto *field, const char *base, bool proto3)
{
    const char *name = lower(field->name);

    if (strcmp(name, base) == 0)
        return run_fail(
            at->run,
            "%s: field %s.%s: protobuf-c needs this name for a member of its own; rename the "
            "field, or set the option (pb_c_msg).base_field_name of the message",
            at->file->name, at->message, field->name);
    if (spell_breaks_member(name))
        return run_fail(
            at->run,
            "%s: field %s.%s: \"%s\" is a macro or a keyword in C, and protobuf-c writes it "
            "as it is; rename the field",
            at->file->name, at->message, field->name, name);
    if (field->type == GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_GROUP)
        return run_fail(at->run, "%s: field %s.%s is a group, which protobuf-c does not have",
                        at->file->name, at->message, field->name);
    if (!add_member(at, name, field->name))
        return false;
    if (field->label == GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__LABEL__LABEL_REPEATED)
        return add_member(at, str_printf("n_%s", name), field->name);
    if (field->label == GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__LABEL__LABEL_OPTIONAL &&
        !proto3 && !field->has_oneof_index && is_scalar(field))
        return add_member(at, str_printf("has_%s", name), field->name);
    if (field->has_proto3_optional && field->proto3_optional &&
        field->type != GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_MESSAGE)
        return add_member(at, str_printf("has_%s_case", name), field->name);
    return true;
}

static bool is_synthetic(const MessageProto *m, int32_t oneof)
{
    for (size_t i = 0; i < m->n_field; i++) {
        const FieldProto *field = m->field[i];
        if (field->has_oneof_index && field->oneof_index == oneof && field->has_proto3_optional &&
            field->proto3_optional)
            return true;
    }
    return false;
}

static bool check_message(run *r, const FileProto *f, const MessageProto *m, const char *outer)
{
    bool proto3 = f->syntax && strcmp(f->syntax, "proto3") == 0;
    const char *base = base_name(m);
    place at = {.run = r, .file = f};

    at.message = *outer ? str_printf("%s.%s", outer, m->name) : m->name;
    for (size_t i = 0; i < m->n_field; i++)
        if (!check_field(&at, m->field[i], base, proto3))
            return false;
    for (size_t i = 0; i < m->n_oneof_decl; i++) {
        const char *name = m->oneof_decl[i]->name;
        if (!is_synthetic(m, (int32_t)i) &&
            !add_member(&at, str_printf("%s_case", spell_pbc_lower(name)), name))
            return false;
    }
    for (size_t i = 0; i < m->n_nested_type; i++)
        if (!check_message(r, f, m->nested_type[i], at.message))
            return false;
    return true;
}

bool messages_check(run *r, const FileProto *f)
{
    if (f->syntax && strcmp(f->syntax, "proto2") != 0 && strcmp(f->syntax, "proto3") != 0)
        return run_fail(r, "%s: the syntax \"%s\" is not supported; proto2 and proto3 are", f->name,
                        f->syntax);
    for (size_t i = 0; i < f->n_message_type; i++)
        if (!check_message(r, f, f->message_type[i], ""))
            return false;
    return true;
}

/* --- the request for the child --------------------------------------------------------------------- */

static void remove_oneof(MessageProto *m, int32_t index)
{
    m->n_oneof_decl--;
    for (size_t i = (size_t)index; i < m->n_oneof_decl; i++)
        m->oneof_decl[i] = m->oneof_decl[i + 1];
    for (size_t i = 0; i < m->n_field; i++)
        if (m->field[i]->has_oneof_index && m->field[i]->oneof_index > index)
            m->field[i]->oneof_index--;
}

static void name_presence(MessageProto *m)
{
    for (size_t i = 0; i < m->n_field; i++) {
        FieldProto *field = m->field[i];
        if (!field->has_proto3_optional || !field->proto3_optional)
            continue;
        field->has_proto3_optional = 0;
        if (field->type == GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_MESSAGE) {
            field->has_oneof_index = 0;
            remove_oneof(m, field->oneof_index);
        } else {
            m->oneof_decl[field->oneof_index]->name = str_printf("has_%s", lower(field->name));
        }
    }
    for (size_t i = 0; i < m->n_nested_type; i++)
        name_presence(m->nested_type[i]);
}

/* Puts gen_pack_helpers in front of the options that the file has, so that they win. */
static void ask_for_helpers(FileProto *f)
{
    static uint8_t helpers[] = {2, 0x10, 1}; /* two bytes: field 2, true */
    Google__Protobuf__FileOptions *options = f->options;
    ProtobufCMessageUnknownField *fields;

    if (options == NULL) {
        options = mem_get(sizeof(*options));
        google__protobuf__file_options__init(options);
        f->options = options;
    }
    fields = mem_get((options->base.n_unknown_fields + 1) * sizeof(*fields));
    fields[0] = (ProtobufCMessageUnknownField){
        .tag = PBC_EXTENSION,
        .wire_type = PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED,
        .len = sizeof(helpers),
        .data = helpers,
    };
    for (unsigned i = 0; i < options->base.n_unknown_fields; i++)
        fields[i + 1] = options->base.unknown_fields[i];
    options->base.unknown_fields = fields;
    options->base.n_unknown_fields++;
}

/* protoc-gen-c carries comments, and keeps a comment from ending early, but not from beginning twice,
 * of which compilers warn. */
static void mend_comment(char *comment)
{
    for (char *c = comment; c && (c = strstr(c, "/*")) != NULL; c++)
        c[1] = '+';
}

static void mend_comments(FileProto *f)
{
    for (size_t i = 0; f->source_code_info && i < f->source_code_info->n_location; i++) {
        mend_comment(f->source_code_info->location[i]->leading_comments);
        mend_comment(f->source_code_info->location[i]->trailing_comments);
    }
}

/* --- the answer of the child ------------------------------------------------------------------------ */

/* A union is initialised by {0}. If its first member is bytes, a struct, gcc's -Wall asks for braces
 * within, wherever the program uses the macro. */
static char *mend_unions(const FileProto *f, const MessageProto *m, const char *local, char *header)
{
    for (size_t i = 0; i < m->n_oneof_decl; i++) {
        const FieldProto *first = NULL;
        const char *wrong;
        char *at;

        for (size_t k = 0; k < m->n_field && first == NULL; k++)
            if (m->field[k]->has_oneof_index && m->field[k]->oneof_index == (int32_t)i)
                first = m->field[k];
        if (first == NULL ||
            first->type != GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_BYTES)
            continue;
        wrong = spell_upper(str_printf("%s__%s__not_set, {0}",
                                       spell_pbc_lower(messages_full_name(f, local)),
                                       spell_pbc_lower(m->oneof_decl[i]->name)));
        at = strstr(header, wrong);
        if (at)
            header = str_printf("%.*s{0,NULL}%s", (int)(at - header + (ptrdiff_t)strlen(wrong) - 2),
                                header, at + strlen(wrong) - 1);
    }
    for (size_t i = 0; i < m->n_nested_type; i++)
        header = mend_unions(f, m->nested_type[i],
                             str_printf("%s.%s", local, m->nested_type[i]->name), header);
    return header;
}

/* The file of the request whose messages are in `header`; NULL: it is none. */
static const FileProto *file_of_header(const run *r, const char *header)
{
    for (size_t i = 0; i < r->request->n_proto_file; i++) {
        const FileProto *f = r->request->proto_file[i];
        size_t stem = strlen(f->name) - (str_ends(f->name, ".proto") ? strlen(".proto") : 0);
        if (strncmp(header, f->name, stem) == 0 && strcmp(header + stem, ".pb-c.h") == 0)
            return f;
    }
    return NULL;
}

static void mend_answer(const run *r, Plugin__Response *response)
{
    for (size_t i = 0; i < response->n_file; i++) {
        const FileProto *f = file_of_header(r, response->file[i]->name);
        for (size_t k = 0; f && k < f->n_message_type; k++)
            response->file[i]->content = mend_unions(
                f, f->message_type[k], f->message_type[k]->name, response->file[i]->content);
    }
}

bool messages_generate(run *r, Plugin__Response *response)
{
    Plugin__Request *request = r->request;

    request->parameter = NULL;
    for (size_t i = 0; i < request->n_proto_file; i++) {
        FileProto *f = request->proto_file[i];
        f->n_service = 0;
        mend_comments(f);
        for (size_t k = 0; k < f->n_message_type; k++)
            name_presence(f->message_type[k]);
        ask_for_helpers(f);
    }
    if (!child_run(r, request, response))
        return false;
    mend_answer(r, response);
    return true;
}
