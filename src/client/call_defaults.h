/* SPDX-License-Identifier: Apache-2.0 */
/* Call options that a channel has for all of its calls. Private to src/client. */
#ifndef OY_CLIENT_CALL_DEFAULTS_H
#define OY_CLIENT_CALL_DEFAULTS_H

#include "client/channel.h"
#include "client/words.h"

/* Copies the user's; NULL leaves none. OYEZ_EINVAL, OYEZ_E2BIG, with words. */
oyez_err oy_call_defaults_set(oy_channel_settings *settings, const oyez_call_options *user, oy_words words);
void oy_call_defaults_fini(oy_channel_settings *settings);
/* What a call does not say itself the defaults say, but for metadata. */
void oy_call_defaults_apply(const oyez_call_options *defaults, oyez_call_options *options);

/* Whether authority and content-subtype can be sent. */
bool oy_call_texts_valid(const oyez_call_options *options);

#endif
