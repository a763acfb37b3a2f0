/* SPDX-License-Identifier: Apache-2.0 */
/* Framing, base64 and headers for the programs of the conformance suite. */
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *need(void *memory)
{
    if (memory)
        return memory;
    fprintf(stderr, "conformance: out of memory\n");
    exit(1);
}

/* --- framing ----------------------------------------------------------------------------------------------------- */

uint8_t *read_framed(size_t *ret_len)
{
    uint8_t prefix[4];
    if (fread(prefix, 1, sizeof(prefix), stdin) != sizeof(prefix))
        return NULL;
    size_t len = (size_t)prefix[0] << 24 | (size_t)prefix[1] << 16 | (size_t)prefix[2] << 8 | prefix[3];
    uint8_t *bytes = need(malloc(len + 1));
    if (fread(bytes, 1, len, stdin) != len) {
        free(bytes);
        return NULL;
    }
    *ret_len = len;
    return bytes;
}

void write_framed(const ProtobufCMessage *message)
{
    size_t len = protobuf_c_message_get_packed_size(message);
    uint8_t *bytes = need(malloc(len + 4));
    bytes[0] = (uint8_t)(len >> 24);
    bytes[1] = (uint8_t)(len >> 16);
    bytes[2] = (uint8_t)(len >> 8);
    bytes[3] = (uint8_t)len;
    protobuf_c_message_pack(message, bytes + 4);
    fwrite(bytes, 1, len + 4, stdout);
    fflush(stdout);
    free(bytes);
}

/* --- base64, standard alphabet ------------------------------------------------------------------------------------ */

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static char *base64_encode(const uint8_t *data, size_t len)
{
    char *text = need(malloc(len / 3 * 4 + 5)), *to = text;
    for (; len >= 3; len -= 3, data += 3) {
        uint32_t word = (uint32_t)data[0] << 16 | (uint32_t)data[1] << 8 | data[2];
        for (int shift = 18; shift >= 0; shift -= 6)
            *to++ = alphabet[word >> shift & 63];
    }
    if (len) {
        uint32_t word = (uint32_t)data[0] << 16 | (len > 1 ? (uint32_t)data[1] << 8 : 0);
        *to++ = alphabet[word >> 18 & 63];
        *to++ = alphabet[word >> 12 & 63];
        if (len > 1)
            *to++ = alphabet[word >> 6 & 63];
    }
    *to = '\0';
    return text;
}

static uint8_t *base64_decode(const char *text, size_t *ret_len)
{
    uint8_t *data = need(malloc(strlen(text) + 1));
    uint32_t word = 0;
    unsigned bits = 0;
    size_t len = 0;
    for (; *text && *text != '='; text++) {
        const char *at = strchr(alphabet, *text);
        if (!at)
            continue;
        word = word << 6 | (uint32_t)(at - alphabet);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            data[len++] = (uint8_t)(word >> bits);
        }
    }
    *ret_len = len;
    return data;
}

/* --- headers --------------------------------------------------------------------------------------------------------- */

static bool is_bin(const char *key, size_t len)
{
    return len >= 4 && memcmp(key + len - 4, "-bin", 4) == 0;
}

void each_header(Header *const *headers, size_t count, add_fn *add, void *user)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < headers[i]->n_value; j++) {
            const char *name = headers[i]->name, *value = headers[i]->value[j];
            size_t len;
            if (!is_bin(name, strlen(name))) {
                add(user, name, value, strlen(value));
                continue;
            }
            uint8_t *raw = base64_decode(value, &len);
            add(user, name, raw, len);
            free(raw);
        }
    }
}

static char *text_of(oyez_str text)
{
    char *copy = need(malloc(text.len + 1));
    memcpy(copy, text.data, text.len);
    copy[text.len] = '\0';
    return copy;
}

static Header *find_header(header_list *list, oyez_str key)
{
    for (size_t i = 0; i < list->count; i++)
        if (strlen(list->items[i]->name) == key.len && memcmp(list->items[i]->name, key.data, key.len) == 0)
            return list->items[i];
    Header *header = need(malloc(sizeof(*header)));
    connectrpc__conformance__v1__header__init(header);
    header->name = text_of(key);
    list->items = need(realloc(list->items, (list->count + 1) * sizeof(*list->items)));
    list->items[list->count++] = header;
    return header;
}

header_list headers_of_metadata(const oyez_metadata *metadata)
{
    header_list list = { NULL, 0 };
    oyez_str key, value;
    for (size_t i = 0; i < oyez_metadata_count(metadata); i++) {
        if (!oyez_metadata_at(metadata, i, &key, &value))
            break;
        Header *header = find_header(&list, key);
        header->value = need(realloc(header->value, (header->n_value + 1) * sizeof(*header->value)));
        header->value[header->n_value++] =
            is_bin(key.data, key.len) ? base64_encode((const uint8_t *)value.data, value.len) : text_of(value);
    }
    return list;
}

void header_list_free(header_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        connectrpc__conformance__v1__header__free_unpacked(list->items[i], NULL);
    free(list->items);
}

/* --- Any -------------------------------------------------------------------------------------------------------------- */

Any *any_of(const ProtobufCMessage *message)
{
    Any *any = need(malloc(sizeof(*any)));
    const char *name = message->descriptor->name;
    size_t len = strlen("type.googleapis.com/") + strlen(name) + 1;
    google__protobuf__any__init(any);
    any->type_url = need(malloc(len));
    snprintf(any->type_url, len, "type.googleapis.com/%s", name);
    any->value.len = protobuf_c_message_get_packed_size(message);
    any->value.data = need(malloc(any->value.len + 1));
    protobuf_c_message_pack(message, any->value.data);
    return any;
}

void any_free(Any *any)
{
    google__protobuf__any__free_unpacked(any, NULL);
}
