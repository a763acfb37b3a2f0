/* SPDX-License-Identifier: Apache-2.0 */
/* A look at the bytes of a message before protobuf-c unpacks them, for what it does not guard against:
 *
 * - It recurses for each nested message, so bytes of a peer decide how deep its stack grows.
 * - A singular message field that is given again is merged into the one before, and each merge copies
 *   all repeated fields: n times the field, n * n copies.
 * - A proto3 string must be UTF-8 (protobuf.dev/programming-guides/proto3, "Scalar Value Types").
 *
 * If asked, it adds up what unpacking will take: two bytes on the wire can be a message of a hundred.
 *
 * The walk goes down only where the descriptor says that a length-delimited field is a message; what
 * it does not know it skips, as protobuf-c does. So each byte is looked at once. */
#include "call/codec_protobuf_c.h"

#include "base/text.h"

/* For the estimate of memory: what each piece takes beside its bytes, what protobuf-c keeps of an unknown
 * field, and the largest element of a repeated field that is not a message: one byte on the wire. */
#define PIECE_BYTES 24u
#define UNKNOWN_BYTES 64u
#define ELEMENT_BYTES 8u

enum wire_type {
    WIRE_VARINT = 0,
    WIRE_64BIT = 1,
    WIRE_LENGTH = 2,
    WIRE_32BIT = 5,
};

/* A message that is being walked over. */
typedef struct frame {
    const ProtobufCMessageDescriptor *desc;
    const uint8_t *end;
    unsigned hint;    /* index of the field found last: fields mostly come in order */
    unsigned singles; /* singular message fields so far */
} frame;

typedef struct scan {
    const uint8_t *at;
    const char *words;
    bool counts;
    uint64_t memory;
    unsigned depth; /* index of the frame in use */
    frame frames[OY_MESSAGE_DEPTH];
} scan;

static bool refuse(scan *s, const char *words)
{
    s->words = words;
    return false;
}

/* A varint of at most ten bytes. */
static bool take_varint(scan *s, const uint8_t *end, uint64_t *ret_value)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
        uint8_t byte;
        if (s->at == end)
            return refuse(s, "the message ends inside a field");
        byte = *s->at++;
        value |= (uint64_t)(byte & 0x7f) << (shift < 64 ? shift : 63);
        if (!(byte & 0x80)) {
            *ret_value = value;
            return true;
        }
    }
    return refuse(s, "a number of the message has more than ten bytes");
}

static bool skip(scan *s, const uint8_t *end, uint64_t bytes)
{
    if (bytes > (size_t)(end - s->at))
        return refuse(s, "the message ends inside a field");
    s->at += bytes;
    return true;
}

/* The field with this number; NULL: unknown. */
static const ProtobufCFieldDescriptor *find_field(frame *top, uint32_t id)
{
    const ProtobufCMessageDescriptor *desc = top->desc;
    const ProtobufCFieldDescriptor *field;

    for (unsigned i = top->hint; i < top->hint + 2 && i < desc->n_fields; i++) {
        if (desc->fields[i].id == id) {
            top->hint = i;
            return &desc->fields[i];
        }
    }
    field = protobuf_c_message_descriptor_get_field(desc, id);
    if (field)
        top->hint = (unsigned)(field - desc->fields);
    return field;
}

/* Descriptors do not say which syntax they come from, but only proto3 has fields without a label. */
static bool is_proto3(const ProtobufCMessageDescriptor *desc)
{
    for (unsigned i = 0; i < desc->n_fields; i++)
        if (desc->fields[i].label == PROTOBUF_C_LABEL_NONE)
            return true;
    return false;
}

static bool enter_message(scan *s, const ProtobufCFieldDescriptor *field, size_t len)
{
    frame *top = &s->frames[s->depth];

    if (field->label != PROTOBUF_C_LABEL_REPEATED &&
        ++top->singles > top->desc->n_fields + OY_MESSAGE_REPEATS)
        return refuse(s, "the message gives a field that is not repeated too often");
    if (s->depth + 1 == OY_MESSAGE_DEPTH)
        return refuse(s, "messages are nested deeper than 100");
    s->depth++;
    s->frames[s->depth] = (frame){.desc = field->descriptor, .end = s->at + len};
    return true;
}

static void count_bytes(scan *s, const ProtobufCFieldDescriptor *field, size_t len)
{
    const ProtobufCMessageDescriptor *inner = field ? field->descriptor : NULL;
    if (!field)
        s->memory += UNKNOWN_BYTES + len;
    else if (field->type == PROTOBUF_C_TYPE_MESSAGE)
        s->memory += inner->sizeof_message + PIECE_BYTES;
    else if (field->type == PROTOBUF_C_TYPE_STRING || field->type == PROTOBUF_C_TYPE_BYTES)
        s->memory += PIECE_BYTES + len;
    else
        s->memory += (uint64_t)len * ELEMENT_BYTES;
}

static void count_number(scan *s, uint32_t id)
{
    const ProtobufCFieldDescriptor *field = find_field(&s->frames[s->depth], id);
    if (!field)
        s->memory += UNKNOWN_BYTES;
    else if (field->label == PROTOBUF_C_LABEL_REPEATED)
        s->memory += ELEMENT_BYTES;
}

static bool scan_length_delimited(scan *s, uint32_t id)
{
    frame *top = &s->frames[s->depth];
    const ProtobufCFieldDescriptor *field;
    uint64_t len;

    if (!take_varint(s, top->end, &len))
        return false;
    if (len > (size_t)(top->end - s->at))
        return refuse(s, "the message ends inside a field");
    field = find_field(top, id);
    if (s->counts)
        count_bytes(s, field, (size_t)len);
    if (field && field->type == PROTOBUF_C_TYPE_MESSAGE)
        return enter_message(s, field, (size_t)len);
    if (field && field->type == PROTOBUF_C_TYPE_STRING &&
        !oy_utf8_valid((oyez_str){(const char *)s->at, (size_t)len}) && is_proto3(top->desc))
        return refuse(s, "a string of the message is not UTF-8");
    s->at += len;
    return true;
}

static bool scan_field(scan *s)
{
    const uint8_t *end = s->frames[s->depth].end;
    uint64_t tag, ignored;

    if (!take_varint(s, end, &tag))
        return false;
    if (tag > UINT32_MAX || tag >> 3 == 0)
        return refuse(s, "the message has a field number that is out of range");
    if (s->counts && (tag & 7) != WIRE_LENGTH)
        count_number(s, (uint32_t)(tag >> 3));
    switch (tag & 7) {
    case WIRE_VARINT:
        return take_varint(s, end, &ignored);
    case WIRE_64BIT:
        return skip(s, end, 8);
    case WIRE_LENGTH:
        return scan_length_delimited(s, (uint32_t)(tag >> 3));
    case WIRE_32BIT:
        return skip(s, end, 4);
    default: /* 3 and 4 are the ends of a group */
        return refuse(s, "the message has a group, or a wire type that does not exist");
    }
}

oyez_err oy_protobuf_scan(const ProtobufCMessageDescriptor *desc, const uint8_t *data, size_t len,
                          size_t *ret_memory, const char **ret_words)
{
    scan s; /* 3 KiB, of which only the frames in use are written */

    s.at = data;
    s.words = NULL;
    s.counts = ret_memory != NULL;
    s.memory = desc->sizeof_message;
    s.depth = 0;
    s.frames[0] = (frame){.desc = desc, .end = data + len};
    for (;;) {
        while (s.at == s.frames[s.depth].end) {
            if (s.depth == 0) {
                if (ret_memory)
                    *ret_memory = (size_t)s.memory;
                return OYEZ_NO_ERR;
            }
            s.depth--;
        }
        if (!scan_field(&s)) {
            *ret_words = s.words;
            return OYEZ_ECODEC;
        }
    }
}
