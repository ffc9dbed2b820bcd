// Values by partner of a process's messages. The partner of a message is mostly that of the one before, or one of
// few.
#pragma once

#include <cstdint>
#include <unordered_map>

namespace cpl_lb {

template <class Value>
class ByPeer {
public:
    // A new one is made from nothing.
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
    Value *latest_ = nullptr; // stays where it is when others come
    std::uint32_t latest_peer_ = 0;
};

} // namespace cpl_lb
