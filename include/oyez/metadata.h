/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file metadata.h
 * Key-value pairs that travel with a call: headers and trailers.
 */
#ifndef OYEZ_METADATA_H
#define OYEZ_METADATA_H

#include <oyez/types.h>

OYEZ_BEGIN_DECLS

/*
 * Metadata is an ordered list of pairs; a key may occur several times.
 *
 * Keys are made of 0-9 a-z _ - . and compare without case: upper-case letters are lowered on the
 * way in. The value of a key that ends in "-bin" is bytes (base64 is done on the wire, not by you);
 * any other value is printable ASCII, 0x20 to 0x7e, and loses the spaces around it, which HTTP
 * forbids (RFC 9113 section 8.2.1). Keys that belong to gRPC or HTTP (such as "content-type", "te",
 * "grpc-status", "connection", all that begin with ':') cannot be set. Of those that a peer sends only
 * two are seen: "user-agent" by servers, "content-type" by clients, among the headers
 * or, in an answer of trailers alone, among the trailers.
 *
 * A NUL stands behind each key and value that you get, so text can be printed as it is.
 *
 * One thread at a time. Metadata that came with a call is read-only; it and all that it gave live
 * as long as the call, or as the comment of the getter says. For reading, NULL is empty metadata.
 */

/** Makes empty metadata. Any thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_metadata_new(oyez_metadata **ret_metadata);

/** A copy of all pairs, which you own. Owner thread. Since 0.1.
 *  @param from borrowed; may be NULL. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_metadata_copy(const oyez_metadata *from,
                                                     oyez_metadata **ret_metadata);

/** Frees it. NULL is allowed. Owner thread. Since 0.1. */
OYEZ_API void oyez_metadata_free(oyez_metadata *metadata);

/**
 * Adds a pair at the end. Owner thread. Since 0.1.
 *
 * @param key    copied.
 * @param value  copied; may lie in the metadata itself; may be NULL with 0.
 * @return OYEZ_EKEY: the key is empty, reserved or has an illegal character; OYEZ_EVALUE: the value
 *         has one. OYEZ_ENULL, OYEZ_ENOMEM. Nothing was added then.
 */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_metadata_append(oyez_metadata *metadata, const char *key,
                                                       const void *value, size_t len);

/** Replaces all values of a key by one, which stands where the first of them stood, or at the end.
 *  Fails as oyez_metadata_append does; nothing has changed then. Owner thread. Since 0.1. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_metadata_set(oyez_metadata *metadata, const char *key,
                                                    const void *value, size_t len);

/** Adds all pairs of `from` at the end: all or, on OYEZ_ENOMEM, none. Owner thread. Since 0.1.
 *  @param from borrowed; may be NULL, or `metadata` itself. */
OYEZ_API OYEZ_MUST_CHECK oyez_err oyez_metadata_join(oyez_metadata *metadata,
                                                     const oyez_metadata *from);

/** Removes all values of a key; returns how many there were. Owner thread. Since 0.1. */
OYEZ_API size_t oyez_metadata_remove(oyez_metadata *metadata, const char *key);

/** The first value of a key; `data` is NULL when there is none (an empty value has `data`).
 *  Borrowed: lives until the metadata is changed. Owner thread. Since 0.1. */
OYEZ_API oyez_str oyez_metadata_get(const oyez_metadata *metadata, const char *key);

/**
 * All values of a key, one after the other:
 *
 *     oyez_str value;
 *     for (size_t at = 0; oyez_metadata_next(metadata, "key", &at, &value);)
 *         ...
 *
 * Owner thread. Since 0.1.
 *
 * @param at  where to go on; moved behind the value that was found.
 * @return false: there is no further one, and `*ret_value` is untouched.
 */
OYEZ_API bool oyez_metadata_next(const oyez_metadata *metadata, const char *key, size_t *at,
                                 oyez_str *ret_value);

/** Number of pairs. Owner thread. Since 0.1. */
OYEZ_API size_t oyez_metadata_count(const oyez_metadata *metadata);

/** The pair at `index`, in the order in which they were added or came; false out of range. Either
 *  output may be NULL. Borrowed: lives until the metadata is changed. Owner thread. Since 0.1. */
OYEZ_API bool oyez_metadata_at(const oyez_metadata *metadata, size_t index, oyez_str *ret_key,
                               oyez_str *ret_value);

OYEZ_END_DECLS

#endif
