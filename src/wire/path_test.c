/* SPDX-License-Identifier: Apache-2.0 */
/* One form of :path is accepted and nothing is repaired. */
#include "support/test.h"

#include "base/text.h"
#include "wire/wire.h"

static void splits(void **state)
{
    (void)state;
    oyez_str service, method;
    assert_true(oy_path_split(OYEZ_STR("/pkg.Svc/Method"), &service, &method));
    assert_true(oy_str_eq(service, OYEZ_STR("pkg.Svc")));
    assert_true(oy_str_eq(method, OYEZ_STR("Method")));
    assert_true(oy_path_split(OYEZ_STR("/a/b"), &service, &method));
    /* Not decoded, not cut: another method, which nobody has. */
    assert_true(oy_path_split(OYEZ_STR("/pkg.Svc/Secret?x"), &service, &method));
    assert_true(oy_str_eq(method, OYEZ_STR("Secret?x")));
}

static void refuses(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",       "/",         "//",          "///",         "*",           "/a",
        "/a/",    "//b",       "a/b",         "/a//b",       "/a/b/",       "//a/b",
        "/a/b/c", "pkg.Svc/S", "//pkg.Svc/S", "/pkg.Svc/S/", "/pkg.Svc//S", "/pkg.Svc%2FS"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        oyez_str service = {"s", 1}, method = {"m", 1};
        assert_false(oy_path_split(oy_str(bad[i]), &service, &method));
        assert_int_equal(service.data[0], 's');
        assert_int_equal(method.data[0], 'm');
    }
    oyez_str service, method;
    assert_false(oy_path_split((oyez_str){NULL, 0}, &service, &method));
}

OY_TEST_GROUP(wire_path, cmocka_unit_test(splits), cmocka_unit_test(refuses));
