/* SPDX-License-Identifier: Apache-2.0 */
/* Intrusive doubly linked list. A node that is in no list has next == NULL. */
#ifndef OY_BASE_LIST_H
#define OY_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct oy_list {
    struct oy_list *next, *prev;
} oy_list;

static inline void oy_list_init(oy_list *head)
{
    head->next = head->prev = head;
}

static inline bool oy_list_empty(const oy_list *head)
{
    return head->next == head;
}

static inline bool oy_list_linked(const oy_list *node)
{
    return node->next != NULL;
}

static inline void oy_list_push_back(oy_list *head, oy_list *node)
{
    node->prev = head->prev;
    node->next = head;
    head->prev->next = node;
    head->prev = node;
}

static inline void oy_list_push_front(oy_list *head, oy_list *node)
{
    node->next = head->next;
    node->prev = head;
    head->next->prev = node;
    head->next = node;
}

/* Unlinks a node; nothing happens when it is in no list. */
static inline void oy_list_remove(oy_list *node)
{
    if (!node->next)
        return;
    node->prev->next = node->next;
    node->next->prev = node->prev;
    node->next = node->prev = NULL;
}

static inline oy_list *oy_list_pop_front(oy_list *head)
{
    oy_list *node = head->next;
    if (node == head)
        return NULL;
    oy_list_remove(node);
    return node;
}

#endif
