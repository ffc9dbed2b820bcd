// Finds the exchange to which a call belongs, from the call's messages. The n-th message of a sender to a receiver
// with one tag is the n-th on both sides, so no time is needed. If one partner has messages now and then and another
// one each step, the process that has both gives the numbers (docs/decisions/same_exchange.md).
#pragma once

#include "events/catalogue.hpp"
#include "events/decode.hpp"
#include "events/message_log.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

namespace cpl_lb {

// For each partner, the exchange number of each message with it, in the order of the messages.
using NumbersOfPeer = std::map<std::uint32_t, std::vector<std::uint32_t>>;

// For each partner, the places in the log of the messages with it, in their order.
using PlacesOfPeer = std::map<std::uint32_t, std::vector<std::uint32_t>>;
// gives: whether this process gives the numbers for a partner. Other partners are left out.
[[nodiscard]] PlacesOfPeer places_of(const MessageLog &log, const std::function<bool(std::uint32_t peer)> &gives);

// The numbers of messages that this process had with single partners, in all its logs; each number once.
[[nodiscard]] std::vector<std::uint32_t> messages_with_partners(std::span<const MessageLog> logs);
// Whether several messages with one partner may be one exchange: another partner has half as many, or a third.
[[nodiscard]] bool may_be_several_in_each(std::span<const std::uint32_t> counts);
// The count nearest to the number of times the process came to exchange after computing. 0: none is near.
[[nodiscard]] std::uint32_t nearest_count(std::span<const std::uint32_t> counts, std::size_t bursts);

// The number of exchanges, on a process that gives the numbers; 0: no messages. It is `known` if the busiest partner
// has several messages in each of so many exchanges, and the others a whole number or few. Else it is the largest
// number of messages with one partner, unless another partner has between half of these and all: then it is the
// largest number of exchanges that divides nearly all messages evenly.
[[nodiscard]] std::uint32_t count_exchanges(const PlacesOfPeer &places, std::uint32_t known = 0);

// The numbers that this process gives, for so many exchanges. If a partner has a whole number of messages in each,
// its messages are counted, from where the order of the calls fits best. A message of any other partner belongs to
// the exchange that is under way then.
[[nodiscard]] NumbersOfPeer numbers_given(const PlacesOfPeer &places, std::uint32_t exchanges);

// Whether the numbers are 0, 1, 2, ...: then the partner need not get them.
[[nodiscard]] bool just_counts(std::span<const std::uint32_t> numbers);

// The exchange of a call. part: the place of the call, from 1, among this process's calls in it.
struct NumberedCall {
    std::uint32_t number = 0, part = 1;
    friend bool operator==(const NumberedCall &, const NumberedCall &) = default;
};
// Gives each call its exchange number. Messages with a partner without numbers are just counted. A call with
// messages of several exchanges belongs to the last of them.
[[nodiscard]] std::vector<NumberedCall> numbered_calls(const MessageLog &log, const NumbersOfPeer &numbers);

// Whether each call has one message with the same partner, just counted: then events are numbered in order.
[[nodiscard]] bool calls_just_count(const MessageLog &log, const NumbersOfPeer &numbers);

// Packs numbers that go up one by one into few words.
[[nodiscard]] std::vector<std::uint32_t> pack_numbers(std::span<const std::uint32_t> numbers);
// Returns at most `most` numbers, whatever the words contain.
[[nodiscard]] std::vector<std::uint32_t> unpack_numbers(std::span<const std::uint32_t> words, std::size_t most);

// Values by partner of a process's messages. Most messages have the partner of the message before, or one of a
// few.
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

// The exchange number of each occurrence of one kind and field.
struct NumberedWhat {
    LocalWhat what = 0;
    std::vector<NumberedCall> calls;
};
// The second and further calls of a process in one exchange become events of fields of their own
// (data/field_parts.hpp). Gives the events of the timeline their numbers and parts, and adds the fields of the parts.
void apply_numbers(LocalTimeline &timeline, const std::vector<NumberedWhat> &numbered,
                   std::vector<LocalField> &fields);

// Merges fields of one kind that have the same name and counterpart into one field, in the order of their
// events.
void unite_alike(LocalTimeline &timeline, const std::vector<LocalField> &fields);

} // namespace cpl_lb
