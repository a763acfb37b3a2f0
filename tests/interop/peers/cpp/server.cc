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

// gRPC has named this class its friend.
namespace grpc {
namespace testing {
class InteropServerContextInspector {
public:
    explicit InteropServerContextInspector(const ServerContext &context) : context_(context) {}
    bool WasCompressed() const { return LastWasCompressed(context_.call_.call); }

private:
    const ServerContext &context_;
};
} // namespace testing
} // namespace grpc

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

// A message that should have come compressed has not.
template <class Request> bool IsPlainAgainstWish(const ServerContext &context, const Request &request)
{
    return request.expect_compressed().value() &&
           !InteropServerContextInspector(context).WasCompressed();
}

Status PlainStatus()
{
    return Status(StatusCode::INVALID_ARGUMENT, "a compressed request is expected");
}

template <class Writer>
Status Outputs(ServerContext *context, const StreamingOutputCallRequest &request, Writer *writer)
{
    for (const ResponseParameters &parameter : request.response_parameters())
        if (parameter.compressed().value())
            context->set_compression_algorithm(GRPC_COMPRESS_GZIP);
    for (const ResponseParameters &parameter : request.response_parameters()) {
        StreamingOutputCallResponse reply;
        Status status = Fill(request.response_type(), parameter.size(), reply.mutable_payload());
        if (!status.ok())
            return status;
        if (parameter.interval_us() > 0)
            usleep(static_cast<useconds_t>(parameter.interval_us()));
        grpc::WriteOptions options;
        if (!parameter.compressed().value())
            options.set_no_compression();
        if (!writer->Write(reply, options))
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
        if (IsPlainAgainstWish(*context, *request))
            return PlainStatus();
        if (request->has_response_compressed())
            context->set_compression_algorithm(
                request->response_compressed().value() ? GRPC_COMPRESS_GZIP : GRPC_COMPRESS_NONE);
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

    Status StreamingOutputCall(ServerContext *context, const StreamingOutputCallRequest *request,
                               grpc::ServerWriter<StreamingOutputCallResponse> *writer) override
    {
        if (request->response_status().code() != 0)
            return EchoedStatus(request->response_status());
        return Outputs(context, *request, writer);
    }

    Status StreamingInputCall(ServerContext *context,
                              grpc::ServerReader<StreamingInputCallRequest> *reader,
                              StreamingInputCallResponse *reply) override
    {
        StreamingInputCallRequest request;
        size_t total = 0;
        while (reader->Read(&request)) {
            if (IsPlainAgainstWish(*context, request))
                return PlainStatus();
            total += request.payload().body().size();
        }
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
            Status status = Outputs(context, request, stream);
            if (!status.ok())
                return status;
        }
        return Status::OK;
    }

    Status HalfDuplexCall(ServerContext *context,
                          grpc::ServerReaderWriter<StreamingOutputCallResponse,
                                                   StreamingOutputCallRequest> *stream) override
    {
        std::vector<StreamingOutputCallRequest> requests;
        StreamingOutputCallRequest request;
        while (stream->Read(&request))
            requests.push_back(request);
        for (const auto &one : requests) {
            Status status = Outputs(context, one, stream);
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
