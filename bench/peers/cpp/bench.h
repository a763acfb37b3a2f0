// SPDX-License-Identifier: Apache-2.0
// What the client's calls and streams share: the plan of a run, and latencies in buckets of 1 %.
#ifndef OYEZ_PEER_BENCH_H
#define OYEZ_PEER_BENCH_H

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "grpc/testing/benchmark_service.grpc.pb.h"

using Clock = std::chrono::steady_clock;

class Histogram {
public:
    void add(Clock::duration value)
    {
        double us = std::max(1.0, std::chrono::duration<double, std::micro>(value).count());
        size_t index = static_cast<size_t>(std::log(us) / std::log(step));
        buckets_[std::min(index, buckets_.size() - 1)]++;
        count_++;
    }
    void merge(const Histogram &other)
    {
        for (size_t i = 0; i < buckets_.size(); i++)
            buckets_[i] += other.buckets_[i];
        count_ += other.count_;
    }
    double percentile(double share) const
    {
        uint64_t seen = 0;
        for (size_t i = 0; i < buckets_.size(); i++) {
            seen += buckets_[i];
            if (static_cast<double>(seen) > share * static_cast<double>(count_))
                return std::pow(step, static_cast<double>(i) + 0.5);
        }
        return 0;
    }
    uint64_t count() const { return count_; }

private:
    static constexpr double step = 1.01;
    std::vector<uint32_t> buckets_ = std::vector<uint32_t>(2400);
    uint64_t count_ = 0;
};

#endif
