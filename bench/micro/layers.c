/* SPDX-License-Identifier: Apache-2.0 */
/* bench-micro: the parts of a call, one by one, so that a regression has an address. They are reached by
 * internal headers: this program is made of the library's objects. */
#include "micro.h"

int main(int argc, char **argv)
{
    static const micro_case *const lists[] = {micro_hpack, micro_h2,    micro_wire,  micro_mem,
                                              micro_queue, micro_codec, micro_timers};
    return micro_main(lists, sizeof(lists) / sizeof(lists[0]), argc, argv);
}
