// SPDX-License-Identifier: Apache-2.0
// Interop cases on gRPC C++, with the flags of the other interop clients.
// usage: client --server_host=H --server_port=N --test_case=NAME [--unary_only]
// --unary_only leaves out the half of a case that needs a stream.
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "flags.h"
#include "grpc/testing/test.grpc.pb.h"

using grpc::ClientContext;
using grpc::Status;
using grpc::StatusCode;
using namespace grpc::testing;

namespace {

const std::vector<int> kRequestSizes = {27182, 8, 1828, 45904};
const std::vector<int> kResponseSizes = {31415, 9, 2653, 58979};
const int kLargeRequest = 271828;
const int kLargeResponse = 314159;
const char kInitial[] = "x-grpc-test-echo-initial";
const char kInitialValue[] = "test_initial_metadata_value";
const char kTrailing[] = "x-grpc-test-echo-trailing-bin";
const char kTrailingValue[] = "\xab\xab\xab";
const char kSpecial[] =
    "\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \U0001f608\t\n";

struct Case {
    TestService::Stub &stub;
    std::shared_ptr<grpc::Channel> channel;
    bool unary_only;
};

void Check(bool condition, const std::string &words)
{
    if (condition)
        return;
    fprintf(stderr, "failed: %s\n", words.c_str());
    exit(1);
}

void CheckStatus(const Status &status, StatusCode code, const char *words = nullptr)
{
    Check(status.error_code() == code,
          "status is " + std::to_string(status.error_code()) + ": " + status.error_message());
    if (words != nullptr)
        Check(status.error_message() == words, "message is " + status.error_message());
}

void Limit(ClientContext *context)
{
    context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
}

std::string Zeros(int size)
{
    return std::string(static_cast<size_t>(size), '\0');
}

SimpleRequest LargeRequest()
{
    SimpleRequest request;
    request.set_response_size(kLargeResponse);
    request.mutable_payload()->set_body(Zeros(kLargeRequest));
    return request;
}

StreamingOutputCallRequest OutputRequest(int size, int request_size)
{
    StreamingOutputCallRequest request;
    request.add_response_parameters()->set_size(size);
    request.mutable_payload()->set_body(Zeros(request_size));
    return request;
}

void CheckEcho(const std::multimap<grpc::string_ref, grpc::string_ref> &metadata, const char *key,
               const char *value)
{
    auto range = metadata.equal_range(key);
    Check(std::distance(range.first, range.second) == 1, std::string(key) + " is not there once");
    Check(range.first->second == value, std::string(key) + " has another value");
}

void EmptyUnary(Case &c)
{
    ClientContext context;
    Limit(&context);
    Empty reply;
    CheckStatus(c.stub.EmptyCall(&context, Empty(), &reply), StatusCode::OK);
}

void LargeUnary(Case &c)
{
    ClientContext context;
    Limit(&context);
    SimpleResponse reply;
    CheckStatus(c.stub.UnaryCall(&context, LargeRequest(), &reply), StatusCode::OK);
    Check(reply.payload().body() == Zeros(kLargeResponse), "the reply is not 314159 zeros");
}

void ClientStreaming(Case &c)
{
    ClientContext context;
    Limit(&context);
    StreamingInputCallResponse reply;
    auto writer = c.stub.StreamingInputCall(&context, &reply);
    int sum = 0;
    for (int size : kRequestSizes) {
        StreamingInputCallRequest request;
        request.mutable_payload()->set_body(Zeros(size));
        Check(writer->Write(request), "a write failed");
        sum += size;
    }
    writer->WritesDone();
    CheckStatus(writer->Finish(), StatusCode::OK);
    Check(reply.aggregated_payload_size() == sum, "the sum is wrong");
}

void ServerStreaming(Case &c)
{
    ClientContext context;
    Limit(&context);
    StreamingOutputCallRequest request;
    for (int size : kResponseSizes)
        request.add_response_parameters()->set_size(size);
    auto reader = c.stub.StreamingOutputCall(&context, request);
    StreamingOutputCallResponse reply;
    std::vector<int> sizes;
    while (reader->Read(&reply))
        sizes.push_back(static_cast<int>(reply.payload().body().size()));
    CheckStatus(reader->Finish(), StatusCode::OK);
    Check(sizes == kResponseSizes, "the sizes of the replies are wrong");
}

void PingPong(Case &c)
{
    ClientContext context;
    Limit(&context);
    auto stream = c.stub.FullDuplexCall(&context);
    StreamingOutputCallResponse reply;
    for (size_t i = 0; i < kRequestSizes.size(); i++) {
        Check(stream->Write(OutputRequest(kResponseSizes[i], kRequestSizes[i])), "a write failed");
        Check(stream->Read(&reply), "no reply");
        Check(static_cast<int>(reply.payload().body().size()) == kResponseSizes[i],
              "a reply has the wrong size");
    }
    stream->WritesDone();
    Check(!stream->Read(&reply), "more replies than requests");
    CheckStatus(stream->Finish(), StatusCode::OK);
}

void EmptyStream(Case &c)
{
    ClientContext context;
    Limit(&context);
    auto stream = c.stub.FullDuplexCall(&context);
    stream->WritesDone();
    StreamingOutputCallResponse reply;
    Check(!stream->Read(&reply), "a reply to nothing");
    CheckStatus(stream->Finish(), StatusCode::OK);
}

void CustomMetadata(Case &c)
{
    {
        ClientContext context;
        Limit(&context);
        context.AddMetadata(kInitial, kInitialValue);
        context.AddMetadata(kTrailing, kTrailingValue);
        SimpleResponse reply;
        CheckStatus(c.stub.UnaryCall(&context, LargeRequest(), &reply), StatusCode::OK);
        CheckEcho(context.GetServerInitialMetadata(), kInitial, kInitialValue);
        CheckEcho(context.GetServerTrailingMetadata(), kTrailing, kTrailingValue);
    }
    if (c.unary_only)
        return;
    ClientContext context;
    Limit(&context);
    context.AddMetadata(kInitial, kInitialValue);
    context.AddMetadata(kTrailing, kTrailingValue);
    auto stream = c.stub.FullDuplexCall(&context);
    StreamingOutputCallResponse reply;
    Check(stream->Write(OutputRequest(kLargeResponse, kLargeRequest)), "a write failed");
    stream->WritesDone();
    Check(stream->Read(&reply), "no reply");
    Check(!stream->Read(&reply), "more replies than requests");
    CheckStatus(stream->Finish(), StatusCode::OK);
    CheckEcho(context.GetServerInitialMetadata(), kInitial, kInitialValue);
    CheckEcho(context.GetServerTrailingMetadata(), kTrailing, kTrailingValue);
}

void UnaryStatus(Case &c, const char *words)
{
    ClientContext context;
    Limit(&context);
    SimpleRequest request;
    request.mutable_response_status()->set_code(2);
    request.mutable_response_status()->set_message(words);
    SimpleResponse reply;
    CheckStatus(c.stub.UnaryCall(&context, request, &reply), StatusCode::UNKNOWN, words);
}

void StatusCodeAndMessage(Case &c)
{
    const char *words = "test status message";
    UnaryStatus(c, words);
    if (c.unary_only)
        return;
    ClientContext context;
    Limit(&context);
    auto stream = c.stub.FullDuplexCall(&context);
    StreamingOutputCallRequest request;
    request.mutable_response_status()->set_code(2);
    request.mutable_response_status()->set_message(words);
    stream->Write(request);
    stream->WritesDone();
    StreamingOutputCallResponse reply;
    Check(!stream->Read(&reply), "a reply instead of a status");
    CheckStatus(stream->Finish(), StatusCode::UNKNOWN, words);
}

void SpecialStatusMessage(Case &c)
{
    UnaryStatus(c, kSpecial);
}

void UnimplementedMethod(Case &c)
{
    ClientContext context;
    Limit(&context);
    Empty reply;
    CheckStatus(c.stub.UnimplementedCall(&context, Empty(), &reply), StatusCode::UNIMPLEMENTED);
}

void UnimplementedServiceCase(Case &c)
{
    ClientContext context;
    Limit(&context);
    Empty reply;
    auto stub = UnimplementedService::NewStub(c.channel);
    CheckStatus(stub->UnimplementedCall(&context, Empty(), &reply), StatusCode::UNIMPLEMENTED);
}

void CancelAfterBegin(Case &c)
{
    ClientContext context;
    Limit(&context);
    StreamingInputCallResponse reply;
    auto writer = c.stub.StreamingInputCall(&context, &reply);
    context.TryCancel();
    CheckStatus(writer->Finish(), StatusCode::CANCELLED);
}

void CancelAfterFirstResponse(Case &c)
{
    ClientContext context;
    Limit(&context);
    auto stream = c.stub.FullDuplexCall(&context);
    StreamingOutputCallResponse reply;
    Check(stream->Write(OutputRequest(kResponseSizes[0], kRequestSizes[0])), "a write failed");
    Check(stream->Read(&reply), "no reply");
    context.TryCancel();
    CheckStatus(stream->Finish(), StatusCode::CANCELLED);
}

void TimeoutOnSleepingServer(Case &c)
{
    ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(1));
    auto stream = c.stub.FullDuplexCall(&context);
    StreamingOutputCallRequest request;
    request.mutable_payload()->set_body(Zeros(27182));
    stream->Write(request);
    StreamingOutputCallResponse reply;
    Check(!stream->Read(&reply), "a reply instead of a status");
    CheckStatus(stream->Finish(), StatusCode::DEADLINE_EXCEEDED);
}

} // namespace

// gRPC has named this class its friend.
namespace grpc {
namespace testing {
class InteropClientContextInspector {
public:
    explicit InteropClientContextInspector(const ClientContext &context) : context_(context) {}
    bool WasCompressed() const { return LastWasCompressed(context_.call()); }

private:
    const ClientContext &context_;
};
} // namespace testing
} // namespace grpc

namespace {

void ClientCompressedUnary(Case &c)
{
    // The first is the probe: the server has to notice.
    const struct {
        bool compressed, expected;
    } steps[] = {{false, true}, {true, true}, {false, false}};
    for (const auto &step : steps) {
        ClientContext context;
        Limit(&context);
        context.set_compression_algorithm(step.compressed ? GRPC_COMPRESS_GZIP : GRPC_COMPRESS_NONE);
        SimpleRequest request = LargeRequest();
        request.mutable_expect_compressed()->set_value(step.expected);
        SimpleResponse reply;
        Status status = c.stub.UnaryCall(&context, request, &reply);
        if (step.compressed != step.expected) {
            CheckStatus(status, StatusCode::INVALID_ARGUMENT);
            continue;
        }
        CheckStatus(status, StatusCode::OK);
        Check(reply.payload().body() == Zeros(kLargeResponse), "the reply is not 314159 zeros");
    }
}

void ServerCompressedUnary(Case &c)
{
    for (bool compressed : {true, false}) {
        ClientContext context;
        Limit(&context);
        SimpleRequest request = LargeRequest();
        request.mutable_response_compressed()->set_value(compressed);
        SimpleResponse reply;
        CheckStatus(c.stub.UnaryCall(&context, request, &reply), StatusCode::OK);
        Check(reply.payload().body() == Zeros(kLargeResponse), "the reply is not 314159 zeros");
        Check(InteropClientContextInspector(context).WasCompressed() == compressed,
              compressed ? "the reply is not compressed" : "the reply is compressed");
    }
}

bool WriteInput(grpc::ClientWriter<StreamingInputCallRequest> &writer, int size, bool compressed,
                bool expected)
{
    StreamingInputCallRequest request;
    request.mutable_payload()->set_body(Zeros(size));
    request.mutable_expect_compressed()->set_value(expected);
    grpc::WriteOptions options;
    if (!compressed)
        options.set_no_compression();
    return writer.Write(request, options);
}

void ClientCompressedStreaming(Case &c)
{
    for (bool probe : {true, false}) {
        ClientContext context;
        Limit(&context);
        context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
        StreamingInputCallResponse reply;
        auto writer = c.stub.StreamingInputCall(&context, &reply);
        WriteInput(*writer, 27182, !probe, true);
        if (probe) {
            writer->WritesDone();
            CheckStatus(writer->Finish(), StatusCode::INVALID_ARGUMENT);
            continue;
        }
        Check(WriteInput(*writer, 45904, false, false), "a write failed");
        writer->WritesDone();
        CheckStatus(writer->Finish(), StatusCode::OK);
        Check(reply.aggregated_payload_size() == 73086, "the sum is wrong");
    }
}

void ServerCompressedStreaming(Case &c)
{
    const std::vector<int> sizes = {31415, 92653};
    ClientContext context;
    Limit(&context);
    StreamingOutputCallRequest request;
    for (size_t i = 0; i < 2; i++) {
        ResponseParameters *parameters = request.add_response_parameters();
        parameters->set_size(sizes[i]);
        parameters->mutable_compressed()->set_value(i == 0);
    }
    auto reader = c.stub.StreamingOutputCall(&context, request);
    StreamingOutputCallResponse reply;
    size_t count = 0;
    for (; reader->Read(&reply); count++) {
        Check(count < 2 && static_cast<int>(reply.payload().body().size()) == sizes[count],
              "the sizes of the replies are wrong");
        Check(InteropClientContextInspector(context).WasCompressed() == (count == 0),
              "a reply is not compressed as was asked");
    }
    CheckStatus(reader->Finish(), StatusCode::OK);
    Check(count == 2, "the number of replies is wrong");
}

} // namespace

int main(int argc, char **argv)
{
    Flags flags(argc, argv,
                {{"server_host", "localhost"},
                 {"server_port", "10000"},
                 {"test_case", "large_unary"},
                 {"use_tls", "false"},
                 {"unary_only", "false"}});
    const std::map<std::string, std::function<void(Case &)>> cases = {
        {"empty_unary", EmptyUnary},
        {"large_unary", LargeUnary},
        {"client_streaming", ClientStreaming},
        {"server_streaming", ServerStreaming},
        {"ping_pong", PingPong},
        {"empty_stream", EmptyStream},
        {"custom_metadata", CustomMetadata},
        {"status_code_and_message", StatusCodeAndMessage},
        {"special_status_message", SpecialStatusMessage},
        {"client_compressed_unary", ClientCompressedUnary},
        {"server_compressed_unary", ServerCompressedUnary},
        {"client_compressed_streaming", ClientCompressedStreaming},
        {"server_compressed_streaming", ServerCompressedStreaming},
        {"unimplemented_method", UnimplementedMethod},
        {"unimplemented_service", UnimplementedServiceCase},
        {"cancel_after_begin", CancelAfterBegin},
        {"cancel_after_first_response", CancelAfterFirstResponse},
        {"timeout_on_sleeping_server", TimeoutOnSleepingServer},
    };
    const std::string &name = flags["test_case"];
    auto found = cases.find(name);
    Check(found != cases.end(), "unknown test case: " + name);
    std::string target = flags["server_host"];
    if (flags["server_port"] != "0")
        target += ":" + flags["server_port"];
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(64 << 20);
    auto channel =
        grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), arguments);
    auto stub = TestService::NewStub(channel);
    Case c = {*stub, channel, flags.on("unary_only")};
    found->second(c);
    printf("%s: ok\n", name.c_str());
    return 0;
}
