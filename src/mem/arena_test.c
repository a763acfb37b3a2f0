/* SPDX-License-Identifier: Apache-2.0 */
/* The arena as a codec sees it. */
#include "base/arena.h"

#include <oyez/mem.h>

#include "support/leak.h"
#include "support/test.h"

static void test_public_face(void **state)
{
    oyez_arena arena;
    char *memory;
    (void)state;
    oy_arena_init(&arena, NULL, 0);
    memory = oyez_arena_alloc(&arena, 100);
    assert_non_null(memory);
    assert_int_equal((uintptr_t)memory % 16, 0);
    memset(memory, 1, 100);
    assert_null(oyez_arena_alloc(&arena, SIZE_MAX));
    oy_arena_fini(&arena);
}

OY_TEST_GROUP(mem_arena, oy_leak_test(test_public_face));
