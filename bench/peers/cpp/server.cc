// SPDX-License-Identifier: Apache-2.0
// BenchmarkService on the callback API of gRPC C++: unary calls, and streams that answer each message
// with one.
#include <grpcpp/grpcpp.h>

#include <cstdio>
#include <string>

#include "flags.h"
#include "grpc/testing/benchmark_service.grpc.pb.h"

using grpc::testing::BenchmarkService;
using grpc::testing::SimpleRequest;
using grpc::testing::SimpleResponse;

static grpc::Status answer(const SimpleRequest &request, SimpleResponse *reply)
{
    if (request.response_size() < 0)
        return {grpc::StatusCode::INVALID_ARGUMENT, "a reply of less than 0 bytes is asked for"};
    std::string *body = reply->mutable_payload()->mutable_body();
    size_t size = static_cast<size_t>(request.response_size());
    if (body->size() != size)
        body->assign(size, '\0');
    return grpc::Status::OK;
}

// Deletes itself when the stream is over.
class Stream final : public grpc::ServerBidiReactor<SimpleRequest, SimpleResponse> {
public:
    Stream() { StartRead(&request_); }
    void OnReadDone(bool ok) override
    {
        grpc::Status status = ok ? answer(request_, &reply_) : grpc::Status::OK;
        if (ok && status.ok())
            StartWrite(&reply_);
        else
            Finish(status);
    }
    void OnWriteDone(bool ok) override
    {
        if (ok)
            StartRead(&request_);
        else
            Finish(grpc::Status::OK);
    }
    void OnDone() override { delete this; }

private:
    SimpleRequest request_;
    SimpleResponse reply_;
};

class Service final : public BenchmarkService::CallbackService {
    grpc::ServerUnaryReactor *UnaryCall(grpc::CallbackServerContext *context,
                                        const SimpleRequest *request, SimpleResponse *reply) override
    {
        grpc::ServerUnaryReactor *reactor = context->DefaultReactor();
        reactor->Finish(answer(*request, reply));
        return reactor;
    }
    grpc::ServerBidiReactor<SimpleRequest, SimpleResponse> *
    StreamingCall(grpc::CallbackServerContext *) override
    {
        return new Stream;
    }
};

int main(int argc, char **argv)
{
    Flags flags(argc, argv, {{"port", "50051"}});
    Service service;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:" + flags["port"], grpc::InsecureServerCredentials());
    builder.SetMaxReceiveMessageSize(-1);
    builder.SetMaxSendMessageSize(-1);
    builder.RegisterService(&service);
    auto server = builder.BuildAndStart();
    if (!server) {
        fprintf(stderr, "port %s cannot be had\n", flags["port"].c_str());
        return 1;
    }
    server->Wait();
}
