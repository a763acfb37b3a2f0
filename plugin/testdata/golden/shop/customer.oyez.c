/* Written by protoc-gen-oyez from shop/customer.proto: change that instead. */
#include "shop/customer.oyez.h"
