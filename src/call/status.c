/* SPDX-License-Identifier: Apache-2.0 */
/* oyez_status: a value on somebody's stack, whose words hide behind `impl`. They are written once
 * and never changed, so copies share them; every setter builds the new words before it drops the
 * old ones, which its arguments may point into. */
#include "call/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/size.h"

static oy_status_impl static_impl = {.kind = OY_STATUS_STATIC, .details = {"", 0}};

static const char no_memory_words[] = "(the message was lost: out of memory)";

typedef struct heap_words {
    oy_status_impl impl;
    char bytes[];
} heap_words;

/* A block for a message of that length, with its NUL, and details; NULL: no memory. */
static heap_words *new_words(size_t message_len, const void *details, size_t details_len)
{
    size_t bytes;
    if (!oy_add_size(sizeof(heap_words) + 1, message_len, &bytes) ||
        !oy_add_size(bytes, details_len, &bytes))
        return NULL;
    heap_words *words = oy_alloc(bytes);
    if (!words)
        return NULL;
    char *copy = words->bytes + message_len + 1;
    if (details_len > 0)
        memcpy(copy, details, details_len);
    words->bytes[message_len] = '\0';
    words->impl.kind = OY_STATUS_HEAP;
    oy_refcount_init(&words->impl.refs, 1);
    words->impl.details = details_len > 0 ? (oyez_str){copy, details_len} : (oyez_str){"", 0};
    return words;
}

static void drop_words(oyez_status *status)
{
    oy_status_impl *impl = status->impl;
    if (impl && impl->kind == OY_STATUS_HEAP && oy_unref(&impl->refs))
        oy_free(impl);
}

/* Replaces what the status holds. */
static void adopt_words(oyez_status *status, oyez_code code, heap_words *words, size_t message_len)
{
    drop_words(status);
    *status = (oyez_status){code, words->bytes, message_len, &words->impl};
}

void oyez_status_fini(oyez_status *status)
{
    if (!status)
        return;
    drop_words(status);
    *status = (oyez_status)OYEZ_STATUS_INIT;
}

oyez_code oy_status_static(oyez_status *status, oyez_code code, const char *message)
{
    if (!status)
        return code;
    drop_words(status);
    *status = (oyez_status){code, message, strlen(message), &static_impl};
    return code;
}

oyez_code oy_status_borrow(oyez_status *status, oy_status_impl *loan, oyez_code code,
                           oyez_str message, oyez_str details)
{
    if (!status)
        return code;
    drop_words(status);
    loan->kind = OY_STATUS_LOAN;
    loan->details = details.len > 0 ? details : (oyez_str){"", 0};
    if (message.len == 0)
        message.data = "";
    *status = (oyez_status){code, message.data, message.len, loan};
    return code;
}

oyez_code oyez_status_set(oyez_status *status, oyez_code code, const char *message,
                          size_t message_len)
{
    if (!status)
        return code;
    if (code == OYEZ_OK || message_len == 0)
        return oy_status_static(status, code, "");
    heap_words *words = new_words(message_len, NULL, 0);
    if (!words)
        return oy_status_static(status, code, no_memory_words);
    memcpy(words->bytes, message, message_len);
    adopt_words(status, code, words, message_len);
    return code;
}

static OYEZ_PRINTF(3, 0) void set_formatted(oyez_status *status, oyez_code code, const char *format,
                                            va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    heap_words *words = len < 0 ? NULL : new_words((size_t)len, NULL, 0);
    if (words) {
        (void)vsnprintf(words->bytes, (size_t)len + 1, format, again);
        adopt_words(status, code, words, (size_t)len);
    } else {
        (void)oy_status_static(status, code,
                               len < 0 ? "(the message was lost: bad format)" : no_memory_words);
    }
    va_end(again);
}

oyez_code oyez_status_setf(oyez_status *status, oyez_code code, const char *format, ...)
{
    if (!status)
        return code;
    if (code == OYEZ_OK)
        return oy_status_static(status, code, "");
    va_list args;
    va_start(args, format);
    set_formatted(status, code, format, args);
    va_end(args);
    return code;
}

void oyez_status_copy(const oyez_status *from, oyez_status *ret_status)
{
    if (!ret_status || from == ret_status)
        return;
    oy_status_impl *impl = from->impl;
    if (impl && impl->kind != OY_STATUS_LOAN) {
        if (impl->kind == OY_STATUS_HEAP)
            oy_ref(&impl->refs);
        drop_words(ret_status);
        *ret_status = *from;
        return;
    }
    oyez_str details = oyez_status_details(from);
    if (from->message_len == 0 && details.len == 0) {
        (void)oy_status_static(ret_status, from->code, "");
        return;
    }
    heap_words *words = new_words(from->message_len, details.data, details.len);
    if (!words) {
        (void)oy_status_static(ret_status, from->code, no_memory_words);
        return;
    }
    if (from->message_len > 0)
        memcpy(words->bytes, from->message, from->message_len);
    adopt_words(ret_status, from->code, words, from->message_len);
}

oyez_str oyez_status_details(const oyez_status *status)
{
    const oy_status_impl *impl = status->impl;
    return impl ? impl->details : (oyez_str){"", 0};
}

oyez_err oyez_status_set_details(oyez_status *status, const void *bytes, size_t len)
{
    if (!status || (len > 0 && status->code == OYEZ_OK))
        return OYEZ_EINVAL;
    if (len == 0 && oyez_status_details(status).len == 0)
        return 0;
    heap_words *words = new_words(status->message_len, bytes, len);
    if (!words)
        return OYEZ_ENOMEM;
    if (status->message_len > 0)
        memcpy(words->bytes, status->message, status->message_len);
    adopt_words(status, status->code, words, status->message_len);
    return 0;
}
