// SPDX-License-Identifier: Apache-2.0
// A closed loop of calls, or of messages on streams, over one connection of gRPC C++ with its callback
// API. Counts as gRPC-Go's client does: what was begun after the warm-up and before the end. Every
// reply is checked for its size.
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "bench.h"
#include "flags.h"

using grpc::testing::BenchmarkService;
using grpc::testing::SimpleRequest;
using grpc::testing::SimpleResponse;

struct Plan {
    SimpleRequest request;
    size_t reply_size = 0;
    Clock::time_point warm_end, end;
    std::mutex lock;
    std::condition_variable changed;
    size_t outstanding = 0; // guarded by lock

    void retire()
    {
        std::lock_guard<std::mutex> held(lock);
        outstanding--;
        changed.notify_all();
    }
};

static void check(const grpc::Status &status)
{
    if (status.ok())
        return;
    fprintf(stderr, "a call has failed: %d %s\n", status.error_code(),
            status.error_message().c_str());
    _Exit(1);
}

// One of the calls in flight: when one ends the next begins.
class Slot {
public:
    virtual ~Slot() = default;
    virtual void start() = 0;
    const Histogram &histogram() const { return histogram_; }

protected:
    explicit Slot(Plan *plan) : plan_(plan) {}
    void begin() { begun_ = Clock::now(); }
    // Books a reply; false when the run is over.
    bool book(const SimpleResponse &reply)
    {
        if (reply.payload().body().size() != plan_->reply_size) {
            fprintf(stderr, "a reply of %zu bytes came, %zu were asked for\n",
                    reply.payload().body().size(), plan_->reply_size);
            _Exit(1);
        }
        Clock::time_point now = Clock::now();
        if (begun_ >= plan_->warm_end)
            histogram_.add(now - begun_);
        return now < plan_->end;
    }
    Plan *plan_;

private:
    Clock::time_point begun_;
    Histogram histogram_;
};

class UnarySlot final : public Slot {
public:
    UnarySlot(Plan *plan, BenchmarkService::Stub *stub) : Slot(plan), stub_(stub) {}
    void start() override
    {
        context_ = std::make_unique<grpc::ClientContext>();
        begin();
        stub_->async()->UnaryCall(context_.get(), &plan_->request, &reply_,
                                  [this](grpc::Status status) {
                                      check(status);
                                      if (book(reply_))
                                          start();
                                      else
                                          plan_->retire();
                                  });
    }

private:
    BenchmarkService::Stub *stub_;
    std::unique_ptr<grpc::ClientContext> context_;
    SimpleResponse reply_;
};

class StreamSlot final : public Slot, public grpc::ClientBidiReactor<SimpleRequest, SimpleResponse> {
public:
    StreamSlot(Plan *plan, BenchmarkService::Stub *stub) : Slot(plan)
    {
        stub->async()->StreamingCall(&context_, this);
    }
    void start() override
    {
        next();
        StartCall();
    }
    void OnWriteDone(bool ok) override { end_half(ok); }
    void OnReadDone(bool ok) override { end_half(ok); }
    void OnDone(const grpc::Status &status) override
    {
        check(status);
        plan_->retire();
    }

private:
    void next()
    {
        halves_ = 2;
        begin();
        StartRead(&reply_);
        StartWrite(&plan_->request);
    }
    // The message has left, or the reply has come; on two threads perhaps.
    void end_half(bool ok)
    {
        if (!ok || halves_.fetch_sub(1) != 1)
            return;
        if (book(reply_))
            next();
        else
            StartWritesDone();
    }
    std::atomic<int> halves_{0};
    grpc::ClientContext context_;
    SimpleResponse reply_;
};

int main(int argc, char **argv)
{
    Flags flags(argc, argv,
                {{"port", "50051"}, {"rpc_type", "unary"}, {"req", "1"}, {"resp", "1"},
                 {"r", "1"}, {"w", "1"}, {"d", "5"}});
    auto number = [&](const char *name) { return strtod(flags[name].c_str(), nullptr); };
    auto seconds = [](double value) {
        return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(value));
    };
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(-1);
    arguments.SetMaxSendMessageSize(-1);
    auto channel = grpc::CreateCustomChannel("127.0.0.1:" + flags["port"],
                                             grpc::InsecureChannelCredentials(), arguments);
    if (!channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(5))) {
        fprintf(stderr, "no connection\n");
        return 1;
    }
    auto stub = BenchmarkService::NewStub(channel);
    Plan plan;
    plan.reply_size = static_cast<size_t>(number("resp"));
    plan.request.set_response_size(static_cast<int32_t>(number("resp")));
    plan.request.mutable_payload()->set_body(std::string(static_cast<size_t>(number("req")), '\0'));
    plan.warm_end = Clock::now() + seconds(number("w"));
    plan.end = plan.warm_end + seconds(number("d"));
    plan.outstanding = static_cast<size_t>(number("r"));
    std::vector<std::unique_ptr<Slot>> slots;
    for (size_t i = 0; i < plan.outstanding; i++) {
        if (flags["rpc_type"] == "unary")
            slots.push_back(std::make_unique<UnarySlot>(&plan, stub.get()));
        else
            slots.push_back(std::make_unique<StreamSlot>(&plan, stub.get()));
    }
    for (auto &slot : slots)
        slot->start();
    {
        std::unique_lock<std::mutex> held(plan.lock);
        if (!plan.changed.wait_until(held, plan.end + std::chrono::seconds(20),
                                     [&] { return plan.outstanding == 0; })) {
            fprintf(stderr, "%zu calls were not answered\n", plan.outstanding);
            _Exit(1);
        }
    }
    Histogram all;
    for (auto &slot : slots)
        all.merge(slot->histogram());
    printf("{\"qps\": %.1f, \"calls\": %llu, \"p50_us\": %.2f, \"p90_us\": %.2f, \"p99_us\": %.2f}\n",
           static_cast<double>(all.count()) / number("d"),
           static_cast<unsigned long long>(all.count()), all.percentile(0.5), all.percentile(0.9),
           all.percentile(0.99));
    fflush(stdout);
    _Exit(0); // a callback may still be on its way out of its slot
}
