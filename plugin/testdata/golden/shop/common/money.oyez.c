/* Written by protoc-gen-oyez from shop/common/money.proto: change that instead. */
#include "shop/common/money.oyez.h"
