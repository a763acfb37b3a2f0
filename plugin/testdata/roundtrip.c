/* SPDX-License-Identifier: Apache-2.0 */
/* Generated messages go to the wire and come back: with presence where the .proto says optional, with
 * helpers for nested ones, with the well-known types. */
#undef NDEBUG
#include <assert.h>
#include <string.h>

#include "nested_messages.pb-c.h"
#include "optional.pb-c.h"
#include "proto2.pb-c.h"
#include "well_known.pb-c.h"

static uint8_t wire[512];

static Maybe__Maybe *again(const Maybe__Maybe *m)
{
    size_t len = maybe__maybe__pack(m, wire);
    return maybe__maybe__unpack(NULL, len, wire);
}

static void optional_of_nothing(void)
{
    Maybe__Maybe m = MAYBE__MAYBE__INIT, *got;

    assert(maybe__maybe__get_packed_size(&m) == 0);
    got = again(&m);
    assert(got->has_number_case == MAYBE__MAYBE__HAS_NUMBER__NOT_SET);
    assert(got->has_text_case == MAYBE__MAYBE__HAS_TEXT__NOT_SET);
    assert(got->has_data_case == MAYBE__MAYBE__HAS_DATA__NOT_SET);
    assert(got->has_flag_case == MAYBE__MAYBE__HAS_FLAG__NOT_SET);
    assert(got->has_kind_case == MAYBE__MAYBE__HAS_KIND__NOT_SET);
    assert(got->child == NULL);
    maybe__maybe__free_unpacked(got, NULL);
}

/* 0, "" and no bytes, all of them there. */
static void optional_of_zero(void)
{
    Maybe__Maybe m = MAYBE__MAYBE__INIT, child = MAYBE__MAYBE__INIT, *got;
    Maybe__Maybe__Deep deep = MAYBE__MAYBE__DEEP__INIT;
    char nothing[] = "";

    m.has_number_case = MAYBE__MAYBE__HAS_NUMBER_NUMBER;
    m.number = 0;
    m.has_text_case = MAYBE__MAYBE__HAS_TEXT_TEXT;
    m.text = nothing;
    m.has_data_case = MAYBE__MAYBE__HAS_DATA_DATA;
    m.data.len = 0;
    m.data.data = NULL;
    m.has_flag_case = MAYBE__MAYBE__HAS_FLAG_FLAG;
    m.flag = 0;
    m.has_kind_case = MAYBE__MAYBE__HAS_KIND_KIND;
    m.kind = MAYBE__MAYBE__KIND__ZERO;
    m.has_camelcase_case = MAYBE__MAYBE__HAS_CAMELCASE_CAMEL_CASE;
    m.camelcase = 0.0;
    m.child = &child;
    m.real_case = MAYBE__MAYBE__REAL_ONE;
    m.one = 0;
    deep.has_long_case = MAYBE__MAYBE__DEEP__HAS_LONG_LONG;
    deep.long_ = 0;
    m.deep = &deep;
    got = again(&m);
    assert(got->has_number_case == MAYBE__MAYBE__HAS_NUMBER_NUMBER && got->number == 0);
    assert(got->has_text_case == MAYBE__MAYBE__HAS_TEXT_TEXT && strcmp(got->text, "") == 0);
    assert(got->has_data_case == MAYBE__MAYBE__HAS_DATA_DATA && got->data.len == 0);
    assert(got->has_flag_case == MAYBE__MAYBE__HAS_FLAG_FLAG && !got->flag);
    assert(got->has_kind_case == MAYBE__MAYBE__HAS_KIND_KIND);
    assert(got->has_camelcase_case == MAYBE__MAYBE__HAS_CAMELCASE_CAMEL_CASE);
    assert(got->child && got->child->has_number_case == MAYBE__MAYBE__HAS_NUMBER__NOT_SET);
    assert(got->real_case == MAYBE__MAYBE__REAL_ONE && got->one == 0);
    assert(got->deep->has_long_case == MAYBE__MAYBE__DEEP__HAS_LONG_LONG);
    maybe__maybe__free_unpacked(got, NULL);
}

static void nested(void)
{
    Nest__Outer__InnerPart__HTTPDeep deep = NEST__OUTER__INNER__PART__HTTPDEEP__INIT;
    Nest__Outer__InnerPart inner = NEST__OUTER__INNER__PART__INIT, *got;
    size_t len;

    deep.x = 7;
    inner.deep = &deep;
    len = nest__outer__inner__part__pack(&inner, wire);
    got = nest__outer__inner__part__unpack(NULL, len, wire);
    assert(got->deep->x == 7);
    nest__outer__inner__part__free_unpacked(got, NULL);
}

static void known(void)
{
    Google__Protobuf__Timestamp at = GOOGLE__PROTOBUF__TIMESTAMP__INIT;
    Google__Protobuf__Int64Value count = GOOGLE__PROTOBUF__INT64_VALUE__INIT;
    Known__Event event = KNOWN__EVENT__INIT, *got;
    size_t len;

    at.seconds = 1700000000;
    count.value = -1;
    event.at = &at;
    event.count = &count;
    len = known__event__pack(&event, wire);
    got = known__event__unpack(NULL, len, wire);
    assert(got->at->seconds == 1700000000 && got->count->value == -1 && got->payload == NULL);
    known__event__free_unpacked(got, NULL);
}

static void proto2(void)
{
    Old__Times__Letter letter = OLD__TIMES__LETTER__INIT, *got;
    char to[] = "you";
    size_t len;

    letter.to = to;
    letter.has_pages = 1;
    letter.pages = 0;
    len = old__times__letter__pack(&letter, wire);
    got = old__times__letter__unpack(NULL, len, wire);
    assert(got->has_pages && got->pages == 0 && strcmp(got->from, "nobody") == 0 && !got->has_seal);
    old__times__letter__free_unpacked(got, NULL);
}

int main(void)
{
    optional_of_nothing();
    optional_of_zero();
    nested();
    known();
    proto2();
    return 0;
}
