/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of a server by path. Filled before the server starts, then only read. Private to src/server. */
#ifndef OY_SERVER_REGISTRY_H
#define OY_SERVER_REGISTRY_H

#include <oyez/server.h>
#include <oyez/service.h>

typedef struct oy_method_entry {
    const oyez_method *method;
    oyez_str path;               /* the method's own */
    const oyez_codec *codec;
    oyez_unary_handler_fn *unary;
    oyez_unary_async_handler_fn *unary_async;
    oyez_stream_handler_fn *stream;
    oyez_stream_async_handler_fn *stream_async;
    const void *service;
    void *self;
    bool on_loop;
} oy_method_entry;

static inline bool oy_method_entry_is_handled(const oy_method_entry *entry)
{
    return entry->unary || entry->unary_async || entry->stream || entry->stream_async;
}

static inline bool oy_method_entry_is_streaming(const oy_method_entry *entry)
{
    return entry->stream || entry->stream_async;
}

typedef struct oy_registered_service {
    char *name;
    oy_method_entry *methods;
    size_t method_count;
} oy_registered_service;

typedef struct oy_registry {
    oy_registered_service *services;
    size_t service_count;
    oy_method_entry **table;     /* open addressing; a power of two */
    size_t table_size, method_count;
    uint64_t seed;
    oyez_method unknown_method;
    oy_method_entry unknown;     /* unhandled: none */
    oyez_unknown_handler_fn *unknown_handler;
    oyez_unknown_async_handler_fn *unknown_async;
    void *unknown_self;
} oy_registry;

void oy_registry_init(oy_registry *registry);
void oy_registry_fini(oy_registry *registry);
/* OYEZ_EEXIST, OYEZ_EINVAL, and without workers OYEZ_ESTATE for a handler that needs one, with static words; then nothing was
 * added.
 * @param ret_method  untouched, or the path of the method that is wrong: the caller's text */
oyez_err oy_registry_add(oy_registry *registry, const oyez_service_desc *desc, bool has_workers,
                         const char **ret_words, const char **ret_method);
void oy_registry_set_unknown(oy_registry *registry, oyez_unknown_handler_fn *handler,
                             oyez_unknown_async_handler_fn *async_handler, void *self);
/* NULL: nobody handles it. */
const oy_method_entry *oy_registry_find(const oy_registry *registry, oyez_str path);
bool oy_registry_has_service(const oy_registry *registry, oyez_str service);

#endif
