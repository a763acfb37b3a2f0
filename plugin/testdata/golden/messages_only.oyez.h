/* Written by protoc-gen-oyez from messages_only.proto: change that instead. */
#ifndef OYEZ_messages_only_2eproto_INCLUDED
#define OYEZ_messages_only_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "messages_only.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "messages_only.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

OYEZ_END_DECLS

#endif
