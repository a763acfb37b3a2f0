/* Written by protoc-gen-oyez from shop/common/money.proto: change that instead. */
#ifndef OYEZ_shop_2fcommon_2fmoney_2eproto_INCLUDED
#define OYEZ_shop_2fcommon_2fmoney_2eproto_INCLUDED

#include <oyez/oyez.h>
#include <oyez/protobuf_c.h>

#include "shop/common/money.pb-c.h"

#if OYEZ_VERSION_NUMBER < 0x000100
#error "shop/common/money.oyez.h needs oyez 0.1.0 or newer"
#endif

OYEZ_BEGIN_DECLS

OYEZ_END_DECLS

#endif
