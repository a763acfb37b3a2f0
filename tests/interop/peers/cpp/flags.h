// SPDX-License-Identifier: Apache-2.0
// --name=value and --name, nothing more.
#ifndef OYEZ_PEER_FLAGS_H
#define OYEZ_PEER_FLAGS_H

#include <grpc/grpc.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

class Flags {
public:
    Flags(int argc, char **argv, std::map<std::string, std::string> defaults) : values_(defaults)
    {
        for (int i = 1; i < argc; i++) {
            std::string word = argv[i];
            word.erase(0, word.find_first_not_of('-'));
            size_t at = word.find('=');
            std::string name = word.substr(0, at);
            if (values_.count(name) == 0) {
                fprintf(stderr, "%s: unknown flag: %s\n", argv[0], argv[i]);
                exit(2);
            }
            values_[name] = at == std::string::npos ? "true" : word.substr(at + 1);
        }
    }
    const std::string &operator[](const std::string &name) const { return values_.at(name); }
    bool on(const std::string &name) const { return values_.at(name) == "true"; }

private:
    std::map<std::string, std::string> values_;
};

// Whether the message that came last on a call was compressed: gRPC's own interop programs ask so, too.
extern uint32_t grpc_call_test_only_get_message_flags(grpc_call *call);

inline bool LastWasCompressed(grpc_call *call)
{
    const uint32_t kCompressed = 0x80000000u, kWasCompressed = 0x40000000u;
    return (grpc_call_test_only_get_message_flags(call) & (kCompressed | kWasCompressed)) != 0;
}

#endif
