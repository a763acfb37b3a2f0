/* Written by protoc-gen-oyez from messages_only.proto: change that instead. */
#include "messages_only.oyez.h"
