/* SPDX-License-Identifier: Apache-2.0 */
/* Talks to etcd, a server that was written without a thought of this library: puts and gets a key, changes it in a
 * transaction, keeps a lease alive, and watches it all on a stream that stays open meanwhile.
 * usage: etcd [TARGET]; etcd listens on localhost:2379 unless told otherwise. Keys begin with "oyez/". */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "etcd.oyez.h"

typedef struct session {
    etcdserverpb_kv_stub kv;
    etcdserverpb_lease_stub lease;
    etcdserverpb_watch_stub watch;
    oyez_ctx *ctx; /* of the whole visit */
} session;

static ProtobufCBinaryData bytes(const char *text)
{
    return (ProtobufCBinaryData){.len = strlen(text), .data = (uint8_t *)text};
}

static bool ended_well(const char *what, oyez_status *status)
{
    bool ok = status->code == OYEZ_OK;
    if (!ok)
        fprintf(stderr, "%s: %s: %s\n", what, oyez_code_name(status->code), status->message);
    oyez_status_fini(status);
    return ok;
}

/* The call did not even start, or what came was not what was expected. */
static bool wrong(const char *what, const char *words)
{
    fprintf(stderr, "%s: %s\n", what, words);
    return false;
}

/* --- keys ----------------------------------------------------------------------------------------- */

static bool put(const session *s, const char *key, const char *value, int64_t lease)
{
    Etcdserverpb__PutRequest request = ETCDSERVERPB__PUT_REQUEST__INIT;
    oyez_status status = OYEZ_STATUS_INIT;
    request.key = bytes(key);
    request.value = bytes(value);
    request.lease = lease;
    (void)etcdserverpb_kv_put(s->kv, s->ctx, &request, NULL, &status);
    return ended_well("Put", &status);
}

static bool get(const session *s, const char *key)
{
    Etcdserverpb__RangeRequest request = ETCDSERVERPB__RANGE_REQUEST__INIT;
    Etcdserverpb__RangeResponse *reply = NULL;
    oyez_status status = OYEZ_STATUS_INIT;
    request.key = bytes(key);
    if (etcdserverpb_kv_range(s->kv, s->ctx, &request, &reply, &status) == OYEZ_OK) {
        for (size_t i = 0; i < reply->n_kvs; i++)
            printf("%s is \"%.*s\", version %" PRId64 "\n", key, (int)reply->kvs[i]->value.len,
                   (const char *)reply->kvs[i]->value.data, reply->kvs[i]->version);
        if (reply->n_kvs == 0)
            printf("%s is not there\n", key);
    }
    etcdserverpb__range_response__free_unpacked(reply, NULL);
    return ended_well("Range", &status);
}

/* Puts `value` if the key is `expected` now. */
static bool swap(const session *s, const char *key, const char *expected, const char *value)
{
    Etcdserverpb__Compare compare = ETCDSERVERPB__COMPARE__INIT, *compares[] = {&compare};
    Etcdserverpb__PutRequest change = ETCDSERVERPB__PUT_REQUEST__INIT;
    Etcdserverpb__RequestOp op = ETCDSERVERPB__REQUEST_OP__INIT, *ops[] = {&op};
    Etcdserverpb__TxnRequest request = ETCDSERVERPB__TXN_REQUEST__INIT;
    Etcdserverpb__TxnResponse *reply = NULL;
    oyez_status status = OYEZ_STATUS_INIT;

    compare.result = ETCDSERVERPB__COMPARE__COMPARE_RESULT__EQUAL;
    compare.target = ETCDSERVERPB__COMPARE__COMPARE_TARGET__VALUE;
    compare.key = bytes(key);
    compare.target_union_case = ETCDSERVERPB__COMPARE__TARGET_UNION_VALUE;
    compare.value = bytes(expected);
    change.key = bytes(key);
    change.value = bytes(value);
    op.request_case = ETCDSERVERPB__REQUEST_OP__REQUEST_REQUEST_PUT;
    op.request_put = &change;
    request.compare = compares;
    request.n_compare = 1;
    request.success = ops;
    request.n_success = 1;
    if (etcdserverpb_kv_txn(s->kv, s->ctx, &request, &reply, &status) == OYEZ_OK)
        printf("%s from \"%s\" to \"%s\": %s\n", key, expected, value,
               reply->succeeded ? "done" : "it is something else");
    etcdserverpb__txn_response__free_unpacked(reply, NULL);
    return ended_well("Txn", &status);
}

static bool delete_all(const session *s)
{
    Etcdserverpb__DeleteRangeRequest request = ETCDSERVERPB__DELETE_RANGE_REQUEST__INIT;
    oyez_status status = OYEZ_STATUS_INIT;
    request.key = bytes("oyez/");
    request.range_end = bytes("oyez0"); /* '0' comes behind '/' */
    (void)etcdserverpb_kv_delete_range(s->kv, s->ctx, &request, NULL, &status);
    return ended_well("DeleteRange", &status);
}

/* --- a lease --------------------------------------------------------------------------------------- */

static bool grant(const session *s, int64_t seconds, int64_t *ret_id)
{
    Etcdserverpb__LeaseGrantRequest request = ETCDSERVERPB__LEASE_GRANT_REQUEST__INIT;
    Etcdserverpb__LeaseGrantResponse *reply = NULL;
    oyez_status status = OYEZ_STATUS_INIT;
    request.ttl = seconds;
    if (etcdserverpb_lease_lease_grant(s->lease, s->ctx, &request, &reply, &status) == OYEZ_OK)
        *ret_id = reply->id;
    etcdserverpb__lease_grant_response__free_unpacked(reply, NULL);
    return ended_well("LeaseGrant", &status);
}

static bool keep_alive(const session *s, int64_t id, int times)
{
    Etcdserverpb__LeaseKeepAliveRequest request = ETCDSERVERPB__LEASE_KEEP_ALIVE_REQUEST__INIT;
    const Etcdserverpb__LeaseKeepAliveResponse *reply; /* ours until the next recv */
    etcdserverpb_lease_lease_keep_alive_stream stream;
    oyez_status status = OYEZ_STATUS_INIT;
    oyez_err err = etcdserverpb_lease_lease_keep_alive(s->lease, s->ctx, &stream);
    if (err)
        return wrong("LeaseKeepAlive", oyez_strerror(err));
    request.id = id;
    for (int i = 0; i < times; i++) {
        if (!etcdserverpb_lease_lease_keep_alive_send(stream, &request) ||
            !etcdserverpb_lease_lease_keep_alive_recv(stream, &reply))
            break; /* the stream has ended: finish says why */
        printf("The lease has %" PRId64 " s\n", reply->ttl);
    }
    oyez_stream_finish(stream.base, &status); /* no more requests; waits for the status */
    return ended_well("LeaseKeepAlive", &status);
}

static bool revoke(const session *s, int64_t id)
{
    Etcdserverpb__LeaseRevokeRequest request = ETCDSERVERPB__LEASE_REVOKE_REQUEST__INIT;
    oyez_status status = OYEZ_STATUS_INIT;
    request.id = id;
    (void)etcdserverpb_lease_lease_revoke(s->lease, s->ctx, &request, NULL, &status);
    return ended_well("LeaseRevoke", &status);
}

/* --- a watch --------------------------------------------------------------------------------------- */

/* Everything that happens to our keys from now on. */
static bool start_watch(etcdserverpb_watch_watch_stream stream, int64_t *ret_id)
{
    Etcdserverpb__WatchCreateRequest create = ETCDSERVERPB__WATCH_CREATE_REQUEST__INIT;
    Etcdserverpb__WatchRequest request = ETCDSERVERPB__WATCH_REQUEST__INIT;
    const Etcdserverpb__WatchResponse *answer;
    create.key = bytes("oyez/");
    create.range_end = bytes("oyez0");
    request.request_union_case = ETCDSERVERPB__WATCH_REQUEST__REQUEST_UNION_CREATE_REQUEST;
    request.create_request = &create;
    if (!etcdserverpb_watch_watch_send(stream, &request) ||
        !etcdserverpb_watch_watch_recv(stream, &answer) || !answer->created)
        return false;
    *ret_id = answer->watch_id;
    return true;
}

static void print_event(const Mvccpb__Event *event)
{
    const Mvccpb__KeyValue *kv = event->kv;
    if (event->type == MVCCPB__EVENT__EVENT_TYPE__DELETE)
        printf("Seen: %.*s is deleted\n", (int)kv->key.len, (const char *)kv->key.data);
    else
        printf("Seen: %.*s is \"%.*s\"\n", (int)kv->key.len, (const char *)kv->key.data,
               (int)kv->value.len, (const char *)kv->value.data);
}

/* Prints so many events, then asks for the watch's end and waits for it. */
static bool see(etcdserverpb_watch_watch_stream stream, int64_t id, size_t count)
{
    Etcdserverpb__WatchCancelRequest cancel = ETCDSERVERPB__WATCH_CANCEL_REQUEST__INIT;
    Etcdserverpb__WatchRequest request = ETCDSERVERPB__WATCH_REQUEST__INIT;
    const Etcdserverpb__WatchResponse *answer;
    size_t seen = 0;
    while (seen < count && etcdserverpb_watch_watch_recv(stream, &answer))
        for (size_t i = 0; i < answer->n_events; i++, seen++)
            print_event(answer->events[i]);
    cancel.watch_id = id;
    request.request_union_case = ETCDSERVERPB__WATCH_REQUEST__REQUEST_UNION_CANCEL_REQUEST;
    request.cancel_request = &cancel;
    if (!etcdserverpb_watch_watch_send(stream, &request))
        return false;
    while (etcdserverpb_watch_watch_recv(stream, &answer))
        if (answer->canceled) {
            printf("The watch is over\n");
            return true;
        }
    return false;
}

/* --- the visit ------------------------------------------------------------------------------------- */

static bool change_things(const session *s)
{
    int64_t lease = 0;
    return put(s, "oyez/greeting", "hello", 0) && get(s, "oyez/greeting") &&
           swap(s, "oyez/greeting", "hello", "good evening") &&
           swap(s, "oyez/greeting", "hello", "good night") && get(s, "oyez/greeting") &&
           grant(s, 60, &lease) && put(s, "oyez/guest", "here", lease) && keep_alive(s, lease, 3) &&
           revoke(s, lease) && get(s, "oyez/guest");
}

static bool visit(const session *s)
{
    etcdserverpb_watch_watch_stream stream;
    oyez_status status = OYEZ_STATUS_INIT;
    int64_t id;
    if (!delete_all(s))
        return false;
    oyez_err err = etcdserverpb_watch_watch(s->watch, s->ctx, &stream);
    if (err)
        return wrong("Watch", oyez_strerror(err));
    bool ok = start_watch(stream, &id) && change_things(s);
    if (ok)
        ok = see(stream, id, 4); /* two of the greeting; the guest comes and goes */
    oyez_stream_cancel(stream.base); /* etcd's end would stay open */
    if (oyez_stream_finish(stream.base, &status) == OYEZ_CANCELLED && ok)
        oyez_status_fini(&status);
    else
        ok = ended_well("Watch", &status) && ok;
    return ok;
}

int main(int argc, char **argv)
{
    const oyez_call_options options = {OYEZ_CALL_OPTIONS_INIT, .wait_for_ready = true};
    /* It waits for an etcd that is not there yet, half a minute at most; the log says so meanwhile. */
    const oyez_channel_options of_channel = {OYEZ_CHANNEL_OPTIONS_INIT,
                                             .log = {oyez_log_stderr, NULL, OYEZ_LOG_WARNING}};
    oyez_channel *channel = NULL;
    oyez_err err = oyez_channel_new(argc > 1 ? argv[1] : "dns:///localhost:2379", oyez_insecure(),
                                    &of_channel, &channel);
    if (err) {
        fprintf(stderr, "channel: %s\n", oyez_strerror(err));
        return 1;
    }
    const session s = {
        .kv = {.channel = channel, .options = &options},
        .lease = {.channel = channel, .options = &options},
        .watch = {.channel = channel, .options = &options},
        .ctx = oyez_ctx_with_timeout(NULL, 30 * OYEZ_SECOND),
    };
    bool ok = visit(&s);
    oyez_ctx_unref(s.ctx);
    oyez_channel_unref(channel);
    return !ok;
}
