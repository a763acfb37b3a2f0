/* SPDX-License-Identifier: Apache-2.0 */
/* Call options of a channel: copied when it is made, and behind what each call says itself. */
#include "client/call_defaults.h"

#include <string.h>

#include "base/alloc.h"
#include "base/options.h"
#include "base/text.h"

#define MAX_TEXT_BYTES 4096u

/* RFC 9110 section 5.6.2. */
static bool is_token(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("-.!#$%&'*+^_`|~", c));
}

static bool is_visible(char c)
{
    return c > 0x20 && c < 0x7f;
}

static bool consists_of(const char *text, bool (*is_right)(char))
{
    size_t len = 0;
    while (is_right(text[len]))
        len++;
    return len > 0 && len <= MAX_TEXT_BYTES && text[len] == '\0';
}

bool oy_call_texts_valid(const oyez_call_options *options)
{
    return (!options->authority || consists_of(options->authority, is_visible)) &&
           (!options->content_subtype || consists_of(options->content_subtype, is_token));
}

static oyez_err copy_text(const char **text)
{
    if (!*text)
        return OYEZ_NO_ERR;
    *text = oy_strndup(*text, strlen(*text));
    return *text ? OYEZ_NO_ERR : OYEZ_ENOMEM;
}

/* Replaces what is borrowed by copies. */
static oyez_err copy_borrowed(const oyez_call_options *own, oyez_call_options *ret_options)
{
    oyez_metadata *metadata = NULL;
    oyez_err err = OYEZ_NO_ERR;
    *ret_options = *own;
    ret_options->metadata = NULL;
    ret_options->content_subtype = NULL;
    ret_options->compressor = NULL;
    err = copy_text(&ret_options->authority);
    if (!err) {
        ret_options->content_subtype = own->content_subtype;
        err = copy_text(&ret_options->content_subtype);
    }
    if (!err) {
        ret_options->compressor = own->compressor;
        err = copy_text(&ret_options->compressor);
    }
    if (!err && own->metadata) {
        err = oyez_metadata_copy(own->metadata, &metadata);
        ret_options->metadata = metadata;
    }
    return err;
}

oyez_err oy_call_defaults_set(oy_channel_settings *settings, const oyez_call_options *user, oy_words words)
{
    oyez_call_options own;
    const char *what = NULL;
    if (!user)
        return OYEZ_NO_ERR;
    oyez_err err = oy_options_copy(&own, sizeof(own), user);
    if (err)
        what = oyez_strerror(err);
    else if (own.headers || own.trailers || own.peer)
        what = "headers, trailers and peer are places of one call";
    else if (own.compressor && !oy_encoding_is_none(oy_str(own.compressor)) &&
             !oy_compressors_find(settings->compressors, oy_str(own.compressor)))
        what = "compressor is not one of the channel's compressors";
    else if (!oy_call_texts_valid(&own))
        what = "authority or content_subtype has a character that it cannot have";
    if (what) {
        oy_words_set(words, "channel options: call_options: %s", what);
        return err ? err : OYEZ_EINVAL;
    }
    settings->has_defaults = true;
    return copy_borrowed(&own, &settings->defaults);
}

void oy_call_defaults_fini(oy_channel_settings *settings)
{
    oy_free((void *)(uintptr_t)settings->defaults.authority);
    oy_free((void *)(uintptr_t)settings->defaults.content_subtype);
    oy_free((void *)(uintptr_t)settings->defaults.compressor);
    oyez_metadata_free((oyez_metadata *)(uintptr_t)settings->defaults.metadata);
}

void oy_call_defaults_apply(const oyez_call_options *defaults, oyez_call_options *options)
{
    options->wait_for_ready = options->wait_for_ready || defaults->wait_for_ready;
    if (!options->timeout)
        options->timeout = defaults->timeout;
    if (!options->max_receive_bytes)
        options->max_receive_bytes = defaults->max_receive_bytes;
    if (!options->max_send_bytes)
        options->max_send_bytes = defaults->max_send_bytes;
    if (!options->authority)
        options->authority = defaults->authority;
    if (!options->content_subtype)
        options->content_subtype = defaults->content_subtype;
    if (!options->compressor)
        options->compressor = defaults->compressor;
    if (!options->on_finish) {
        options->on_finish = defaults->on_finish;
        options->on_finish_user = defaults->on_finish_user;
    }
}
