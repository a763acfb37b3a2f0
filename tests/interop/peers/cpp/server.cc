// SPDX-License-Identifier: Apache-2.0
// grpc.testing.TestService on gRPC C++. usage: server --port=N (0: any; the port is printed).
#include <grpcpp/grpcpp.h>

#include <csignal>
#include <ctime>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include "flags.h"
#include "grpc/testing/test.grpc.pb.h"

using grpc::ServerContext;
using grpc::Status;
using grpc::StatusCode;
using namespace grpc::testing;

namespace {

const char kInitial[] = "x-grpc-test-echo-initial";
const char kTrailing[] = "x-grpc-test-echo-trailing-bin";

// The two echo headers of custom_metadata: the first value of each goes back.
void EchoMetadata(ServerContext *context)
{
    const auto &metadata = context->client_metadata();
    auto initial = metadata.find(kInitial);
    if (initial != metadata.end())
        context->AddInitialMetadata(kInitial,
                                    std::string(initial->second.data(), initial->second.size()));
    auto trailing = metadata.find(kTrailing);
    if (trailing != metadata.end())
        context->AddTrailingMetadata(kTrailing,
                                     std::string(trailing->second.data(), trailing->second.size()));
}

Status EchoedStatus(const EchoStatus &wanted)
{
    return Status(static_cast<StatusCode>(wanted.code()), wanted.message());
}

Status Fill(PayloadType type, int size, Payload *payload)
{
    if (type != COMPRESSABLE)
        return Status(StatusCode::INVALID_ARGUMENT, "unsupported payload type");
    if (size < 0)
        return Status(StatusCode::INVALID_ARGUMENT, "negative payload size");
    payload->set_type(type);
    payload->set_body(std::string(static_cast<size_t>(size), '\0'));
    return Status::OK;
}

template <class Writer>
Status Outputs(const StreamingOutputCallRequest &request, Writer *writer)
{
    for (const ResponseParameters &parameter : request.response_parameters()) {
        StreamingOutputCallResponse reply;
        Status status = Fill(request.response_type(), parameter.size(), reply.mutable_payload());
        if (!status.ok())
            return status;
        if (parameter.interval_us() > 0)
            usleep(static_cast<useconds_t>(parameter.interval_us()));
        if (!writer->Write(reply))
            return Status(StatusCode::CANCELLED, "the client has gone");
    }
    return Status::OK;
}

class TestServiceImpl final : public TestService::Service {
    Status EmptyCall(ServerContext *, const Empty *, Empty *) override { return Status::OK; }

    Status UnaryCall(ServerContext *context, const SimpleRequest *request,
                     SimpleResponse *reply) override
    {
        EchoMetadata(context);
        if (request->response_status().code() != 0)
            return EchoedStatus(request->response_status());
        return Fill(request->response_type(), request->response_size(), reply->mutable_payload());
    }

    Status CacheableUnaryCall(ServerContext *context, const SimpleRequest *,
                              SimpleResponse *reply) override
    {
        timespec now = {};
        clock_gettime(CLOCK_REALTIME, &now);
        context->AddInitialMetadata("cache-control", "max-age=60, public");
        reply->mutable_payload()->set_body(
            std::to_string(static_cast<int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec));
        return Status::OK;
    }

    Status StreamingOutputCall(ServerContext *, const StreamingOutputCallRequest *request,
                               grpc::ServerWriter<StreamingOutputCallResponse> *writer) override
    {
        if (request->response_status().code() != 0)
            return EchoedStatus(request->response_status());
        return Outputs(*request, writer);
    }

    Status StreamingInputCall(ServerContext *,
                              grpc::ServerReader<StreamingInputCallRequest> *reader,
                              StreamingInputCallResponse *reply) override
    {
        StreamingInputCallRequest request;
        size_t total = 0;
        while (reader->Read(&request))
            total += request.payload().body().size();
        reply->set_aggregated_payload_size(static_cast<int>(total));
        return Status::OK;
    }

    Status FullDuplexCall(ServerContext *context,
                          grpc::ServerReaderWriter<StreamingOutputCallResponse,
                                                   StreamingOutputCallRequest> *stream) override
    {
        EchoMetadata(context);
        StreamingOutputCallRequest request;
        while (stream->Read(&request)) {
            if (request.response_status().code() != 0)
                return EchoedStatus(request.response_status());
            Status status = Outputs(request, stream);
            if (!status.ok())
                return status;
        }
        return Status::OK;
    }

    Status HalfDuplexCall(ServerContext *,
                          grpc::ServerReaderWriter<StreamingOutputCallResponse,
                                                   StreamingOutputCallRequest> *stream) override
    {
        std::vector<StreamingOutputCallRequest> requests;
        StreamingOutputCallRequest request;
        while (stream->Read(&request))
            requests.push_back(request);
        for (const auto &one : requests) {
            Status status = Outputs(one, stream);
            if (!status.ok())
                return status;
        }
        return Status::OK;
    }
};

} // namespace

int main(int argc, char **argv)
{
    Flags flags(argc, argv, {{"port", "10000"}, {"use_tls", "false"}});
    if (flags.on("use_tls")) {
        fprintf(stderr, "this server speaks cleartext only\n");
        return 2;
    }
    TestServiceImpl service;
    int port = 0;
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:" + flags["port"], grpc::InsecureServerCredentials(),
                             &port);
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.SetMaxReceiveMessageSize(64 << 20);
    builder.RegisterService(&service);
    std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
    if (server == nullptr || port == 0) {
        fprintf(stderr, "cannot listen on port %s\n", flags["port"].c_str());
        return 1;
    }
    printf("listening on 127.0.0.1:%d\n", port);
    fflush(stdout);
    server->Wait(); // until a signal ends the process
    return 0;
}
