// Which exchange a call belongs to, from the messages that it had to do with. The n-th message of a sender to a
// receiver with one tag is the n-th on both sides, so no time is needed. Where a process has messages now and then,
// and another each step, the process that has both gives the numbers (docs/decisions/exchanges_are_messages.md).
#pragma once

#include "events/message_log.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

namespace cpl_lb {

// For each partner, the exchange number of each message with it, in the order of the messages.
using NumbersOfPeer = std::map<std::uint32_t, std::vector<std::uint32_t>>;

// For each partner, the places in the log of the messages with it, in their order.
using PlacesOfPeer = std::map<std::uint32_t, std::vector<std::uint32_t>>;
// gives: partners for whom this process gives the numbers; the others are left out.
[[nodiscard]] PlacesOfPeer places_of(const MessageLog &log, const std::function<bool(std::uint32_t peer)> &gives);

// How many messages this process had with each partner, each number once: of all its lists.
[[nodiscard]] std::vector<std::uint32_t> messages_with_partners(std::span<const MessageLog> logs);
// Whether several messages with one partner may be one exchange: another one has a half as many, or a third.
[[nodiscard]] bool may_be_several_in_each(std::span<const std::uint32_t> counts);
// The count nearest to the number of times the process came to exchange after computing. 0: none is near.
[[nodiscard]] std::uint32_t nearest_count(std::span<const std::uint32_t> counts, std::size_t bursts);

// How many exchanges there were, by a process that gives the numbers: `known` of them, if so many go into the
// messages with the busiest partner several times, and into those with nearly all. Else as many as go into the
// messages with nearly all partners without a rest, where one partner has three in each and another two; else the
// most with one partner, and others have messages now and then. 0: no messages.
[[nodiscard]] std::uint32_t count_exchanges(const PlacesOfPeer &places, std::uint32_t known = 0);

// By the process that gives the numbers, of so many exchanges. A partner with a whole number of messages in each is
// counted, from where the order of the calls fits best; a message of another one belongs to the exchange that is
// under way then.
[[nodiscard]] NumbersOfPeer numbers_given(const PlacesOfPeer &places, std::uint32_t exchanges);

// 0, 1, 2, ...: nobody need be told.
[[nodiscard]] bool just_counts(std::span<const std::uint32_t> numbers);

// The exchange of a call, and which of this process's calls in it this one is, from 1.
struct NumberedCall {
    std::uint32_t number = 0, part = 1;
    friend bool operator==(const NumberedCall &, const NumberedCall &) = default;
};
// Gives each call its exchange number. Messages with a partner without numbers are just counted. A call with
// messages of several exchanges belongs to the last of them.
[[nodiscard]] std::vector<NumberedCall> numbered_calls(const MessageLog &log, const NumbersOfPeer &numbers);

// Each call has one message with the one partner, and these are just counted: the events are numbered as they come.
[[nodiscard]] bool calls_just_count(const MessageLog &log, const NumbersOfPeer &numbers);

// Numbers that go up one by one, as few words.
[[nodiscard]] std::vector<std::uint32_t> pack_numbers(std::span<const std::uint32_t> numbers);
// At most `most`, whatever the words say.
[[nodiscard]] std::vector<std::uint32_t> unpack_numbers(std::span<const std::uint32_t> words, std::size_t most);

} // namespace cpl_lb
