/* SPDX-License-Identifier: Apache-2.0 */
/* A hash table of paths. A path is found byte for byte as it was registered: nothing is decoded or normalised. */
#include "server/registry.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/options.h"
#include "base/random.h"
#include "base/text.h"
#include "wire/wire.h"

void oy_registry_init(oy_registry *registry)
{
    memset(registry, 0, sizeof(*registry));
    registry->seed = oy_random_seed();
}

void oy_registry_fini(oy_registry *registry)
{
    for (size_t i = 0; i < registry->service_count; i++) {
        oy_free(registry->services[i].name);
        oy_free(registry->services[i].methods);
    }
    oy_free(registry->services);
    oy_free(registry->table);
    registry->services = NULL;
    registry->service_count = 0;
    registry->table = NULL;
}

bool oy_registry_has_service(const oy_registry *registry, oyez_str service)
{
    for (size_t i = 0; i < registry->service_count; i++)
        if (oy_str_eq(oy_str(registry->services[i].name), service))
            return true;
    return false;
}

static size_t place_of(const oy_registry *registry, oyez_str path)
{
    size_t at = (size_t)oy_hash(path.data, path.len, registry->seed) & (registry->table_size - 1);
    while (registry->table[at] && !oy_str_eq(registry->table[at]->path, path))
        at = (at + 1) & (registry->table_size - 1);
    return at;
}

const oy_method_entry *oy_registry_find(const oy_registry *registry, oyez_str path)
{
    return registry->table_size ? registry->table[place_of(registry, path)] : NULL;
}

/* Rebuilds the table for `count` methods more: less than half full. */
static oyez_err grow_table(oy_registry *registry, size_t count)
{
    size_t size = registry->table_size ? registry->table_size : 16;
    while (size < 2 * (registry->method_count + count) + 1)
        size *= 2;
    if (size == registry->table_size)
        return OYEZ_NO_ERR;
    oy_method_entry **table = oy_alloc_zero(size * sizeof(*table));
    if (!table)
        return OYEZ_ENOMEM;
    oy_free(registry->table);
    registry->table = table;
    registry->table_size = size;
    for (size_t i = 0; i < registry->service_count; i++)
        for (size_t j = 0; j < registry->services[i].method_count; j++) {
            oy_method_entry *entry = &registry->services[i].methods[j];
            registry->table[place_of(registry, entry->path)] = entry;
        }
    return OYEZ_NO_ERR;
}

static bool is_streaming(const oyez_method *method)
{
    return method->client_streaming || method->server_streaming;
}

/* The i-th method, as this library knows it: the caller's struct may be of another version. */
static oyez_err method_at(const oyez_service_desc *desc, size_t i, oyez_service_method *ret_method)
{
    const char *at = (const char *)desc->methods + i * desc->method_size;
    size_t known = desc->method_size < sizeof(*ret_method) ? desc->method_size : sizeof(*ret_method);
    memset(ret_method, 0, sizeof(*ret_method));
    memcpy(ret_method, at, known);
    for (size_t byte = known; byte < desc->method_size; byte++)
        if (at[byte])
            return OYEZ_E2BIG;
    return OYEZ_NO_ERR;
}

static bool method_valid(const oyez_service_desc *desc, const oyez_service_method *method, const char **ret_words)
{
    oyez_str service, name;
    if (!method->method || !method->method->path || !oy_path_split(oy_str(method->method->path), &service, &name) ||
        !oy_str_eq(service, oy_str(desc->name)))
        *ret_words = "the path is not /service/method of this service";
    else if ((method->unary && method->unary_async) || (method->stream && method->stream_async))
        *ret_words = "it has a blocking and an async handler: at most one of them may be set";
    else if (is_streaming(method->method) && (method->unary || method->unary_async))
        *ret_words = "it is a streaming method, and has a unary handler";
    else if (!is_streaming(method->method) && (method->stream || method->stream_async))
        *ret_words = "it is a unary method, and has a handler of streams";
    else if (method->stream && desc->on_loop)
        *ret_words = "the service says on_loop, where a blocking handler of a stream would stop the loop: let it run "
                     "on workers, or use an async handler";
    else
        return true;
    return false;
}

static void fill_entry(oy_method_entry *entry, const oyez_service_desc *desc, const oyez_service_method *from)
{
    entry->method = from->method;
    entry->path = oy_str(from->method->path);
    entry->codec = from->method->codec ? from->method->codec() : oyez_bytes();
    entry->unary = from->unary;
    entry->unary_async = from->unary_async;
    entry->stream = from->stream;
    entry->stream_async = from->stream_async;
    entry->service = desc->service;
    entry->self = desc->self;
    entry->on_loop = desc->on_loop || from->unary_async || from->stream_async;
}

/* What stands in front of the methods. */
static oyez_err copy_desc(oyez_service_desc *desc, const oyez_service_desc *user_desc, const char **ret_words)
{
    oyez_err err = oy_options_copy(desc, sizeof(*desc), user_desc);
    *ret_words = oyez_strerror(err);
    if (err)
        return err;
    *ret_words = "its name is NULL or empty";
    if (!desc->name || !desc->name[0])
        return OYEZ_EINVAL;
    *ret_words = "its methods are NULL";
    if (desc->method_count && !desc->methods)
        return OYEZ_ENULL;
    *ret_words = oyez_strerror(OYEZ_ESIZE);
    return desc->method_count && desc->method_size < sizeof(void *) ? OYEZ_ESIZE : OYEZ_NO_ERR;
}

oyez_err oy_registry_add(oy_registry *registry, const oyez_service_desc *user_desc, bool has_workers,
                         const char **ret_words, const char **ret_method)
{
    oyez_service_desc desc = { OYEZ_SERVICE_DESC_INIT };
    oyez_err err = copy_desc(&desc, user_desc, ret_words);
    if (err)
        return err;
    if (oy_registry_has_service(registry, oy_str(desc.name))) {
        *ret_words = "a service of this name is registered already";
        return OYEZ_EEXIST;
    }
    oyez_service_method method;
    for (size_t i = 0; i < desc.method_count; i++) {
        err = method_at(&desc, i, &method);
        *ret_words = oyez_strerror(err);
        if (err)
            return err;
        *ret_method = method.method && method.method->path ? method.method->path : "a method that is NULL";
        if (!method_valid(&desc, &method, ret_words))
            return OYEZ_EINVAL;
        if (!has_workers && !desc.on_loop && (method.unary || method.stream)) {
            *ret_words = "it has a blocking handler and the runtime has no workers: set on_loop if it does not block, "
                         "max_workers of the runtime, an executor, or use an async handler";
            return OYEZ_ESTATE;
        }
    }
    *ret_method = NULL;
    *ret_words = "out of memory";
    oy_registered_service *services =
        oy_realloc_array(registry->services, registry->service_count + 1, sizeof(*services));
    if (!services)
        return OYEZ_ENOMEM;
    registry->services = services;
    oy_registered_service service = { .name = oy_strndup(desc.name, strlen(desc.name)),
                                      .methods = oy_alloc_array(desc.method_count, sizeof(oy_method_entry)) };
    if (!service.name || !service.methods || grow_table(registry, desc.method_count)) {
        oy_free(service.name);
        oy_free(service.methods);
        return OYEZ_ENOMEM;
    }
    for (size_t i = 0; i < desc.method_count; i++) {
        (void)method_at(&desc, i, &method);
        fill_entry(&service.methods[i], &desc, &method);
        registry->table[place_of(registry, service.methods[i].path)] = &service.methods[i];
    }
    service.method_count = desc.method_count;
    registry->method_count += desc.method_count;
    registry->services[registry->service_count++] = service;
    return OYEZ_NO_ERR;
}

static oyez_code call_unknown(const void *service, void *self, oyez_server_call *call, const void *request,
                              oyez_stream *stream, void *reply)
{
    const oy_registry *registry = service;
    (void)request;
    (void)reply;
    return registry->unknown_handler(self, call, stream);
}

static void call_unknown_async(const void *service, void *self, oyez_server_call *call, const void *request,
                               oyez_stream *stream)
{
    const oy_registry *registry = service;
    (void)request;
    registry->unknown_async(self, call, stream);
}

void oy_registry_set_unknown(oy_registry *registry, oyez_unknown_handler_fn *handler,
                             oyez_unknown_async_handler_fn *async_handler, void *self)
{
    registry->unknown_handler = handler;
    registry->unknown_async = async_handler;
    registry->unknown_method =
        (oyez_method){ OYEZ_METHOD_INIT, .path = "", .client_streaming = true, .server_streaming = true };
    registry->unknown = (oy_method_entry){
        .method = &registry->unknown_method,
        .codec = oyez_bytes(),
        .stream = handler ? call_unknown : NULL,
        .stream_async = async_handler ? call_unknown_async : NULL,
        .service = registry,
        .self = self,
        .on_loop = async_handler != NULL,
    };
}
