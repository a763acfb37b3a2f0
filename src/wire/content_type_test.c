/* SPDX-License-Identifier: Apache-2.0 */
#include "support/test.h"

#include "base/text.h"
#include "wire/wire.h"

static void accepts(void **state)
{
    (void)state;
    static const char *const good[][2] = {
        {"application/grpc", ""},
        {"application/grpc+proto", "proto"},
        {"application/grpc+json;charset=x", "json"},
        {"application/grpc;v=1", ""},
        {"application/grpc;v=1+proto", ""},
        {"application/grpc+", ""},
        {"application/grpc+;", ""},
    };
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        oyez_str subtype = {NULL, 99};
        assert_true(oy_content_type_parse(oy_str(good[i][0]), &subtype));
        assert_true(oy_str_eq(subtype, oy_str(good[i][1])));
        assert_true(oy_content_type_parse(oy_str(good[i][0]), NULL));
    }
}

static void refuses(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "application/grp",
                                      "application/grpcfoo",
                                      "APPLICATION/GRPC",
                                      "application/grpc-web",
                                      "application/grpc-web+proto",
                                      "text/plain",
                                      "application/grpc proto",
                                      " application/grpc"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(oy_content_type_parse(oy_str(bad[i]), NULL));
}

OY_TEST_GROUP(wire_content_type, cmocka_unit_test(accepts), cmocka_unit_test(refuses));
