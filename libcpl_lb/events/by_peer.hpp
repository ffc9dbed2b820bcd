// Values by partner of a process's messages. Most messages have the partner of the message before, or one of a
// few.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace cpl_lb {

template <class Value>
class ByPeer {
public:
    // The value of a partner; a new one is value-initialised.
    Value &operator[](std::uint32_t peer) {
        if (latest_ == nullptr || peer != latest_peer_) {
            latest_ = &values_[peer];
            latest_peer_ = peer;
        }
        return *latest_;
    }
    [[nodiscard]] std::unordered_map<std::uint32_t, Value> &values() { return values_; }

private:
    std::unordered_map<std::uint32_t, Value> values_;
    Value *latest_ = nullptr; // its address stays valid when others are added
    std::uint32_t latest_peer_ = 0;
};

} // namespace cpl_lb
