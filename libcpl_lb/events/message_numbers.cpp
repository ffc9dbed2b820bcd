// Counts messages by partner, and finds where those of rare partners belong.
#include "events/message_numbers.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <unordered_map>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t most_missing = 16; // at the begin, of a partner that counts with the busiest one

[[nodiscard]] bool is_taken(LoggedMessage message) {
    return (message & (logged_next | logged_again)) == 0;
}

// How many messages of a partner belong to each exchange; 0: no whole number of them. One of ten may be missing: a
// late begin or an early end.
std::size_t whole_times(std::size_t messages, std::size_t exchanges) {
    const std::size_t times = (messages + exchanges / 2) / exchanges;
    const std::size_t all = times * exchanges;
    return (all > messages ? all - messages : messages - all) <= exchanges / 10 ? times : 0;
}

// By how much the messages come later in the list than the exchanges begin, if the first so many are missing.
std::int64_t distance(std::span<const std::uint32_t> places, std::span<const std::uint32_t> begins,
                      std::size_t missing) {
    std::int64_t sum = 0;
    for (std::size_t n = 0; n < places.size() && n + missing < begins.size(); ++n)
        sum += std::abs(static_cast<std::int64_t>(places[n]) - static_cast<std::int64_t>(begins[n + missing]));
    return sum;
}

std::size_t best_missing(std::span<const std::uint32_t> places, std::span<const std::uint32_t> begins) {
    if (places.size() >= begins.size()) return 0;
    std::size_t best = 0;
    std::int64_t least = distance(places, begins, 0);
    for (std::size_t missing = 1; missing <= std::min(begins.size() - places.size(), most_missing); ++missing) {
        const std::int64_t d = distance(places, begins, missing);
        if (d >= least) continue;
        least = d;
        best = missing;
    }
    return best;
}

// The begins of the exchanges: the first message in each of the regular partner with the fewest messages in each (of
// equals, with the most in all). Empty: no partner is regular.
std::vector<std::uint32_t> begins_of(const PlacesOfPeer &places, std::size_t exchanges) {
    const std::vector<std::uint32_t> *regular = nullptr;
    std::size_t fewest = 0;
    for (const auto &[peer, of_peer] : places) {
        const std::size_t times = whole_times(of_peer.size(), exchanges);
        if (times == 0) continue;
        if (regular == nullptr || times < fewest || (times == fewest && of_peer.size() > regular->size())) {
            regular = &of_peer;
            fewest = times;
        }
    }
    std::vector<std::uint32_t> begins;
    for (std::size_t n = 0; regular != nullptr && n < regular->size(); n += fewest)
        begins.push_back((*regular)[n]);
    return begins;
}

constexpr std::size_t most_in_each = 8; // messages of one partner in one exchange

// Messages of all partners that have so many.
using MessagesByCount = std::map<std::size_t, std::size_t>;

// A partner with half as many messages or fewer comes now and then.
bool are_several_in_each(const MessagesByCount &messages, std::size_t exchanges) {
    if (exchanges == 0) return false;
    const std::size_t times = whole_times(messages.rbegin()->first, exchanges);
    if (times < 2 || times > most_in_each) return false;
    return std::all_of(messages.begin(), messages.end(), [&](const auto &m) {
        return 20 * m.first <= 11 * exchanges || whole_times(m.first, exchanges) > 0;
    });
}

} // namespace

PlacesOfPeer places_of(const MessageLog &log, const std::function<bool(std::uint32_t peer)> &gives) {
    ByPeer<std::vector<std::uint32_t>> found;
    std::uint32_t place = 0;
    for (const LoggedMessage message : log.messages)
        if (is_taken(message)) found[message & logged_peer].push_back(place++);
    std::erase_if(found.values(), [&](const auto &of_peer) { return !gives(of_peer.first); });
    return {std::make_move_iterator(found.values().begin()), std::make_move_iterator(found.values().end())};
}

std::vector<std::uint32_t> messages_with_partners(std::span<const MessageLog> logs) {
    std::set<std::uint32_t> counts;
    for (const MessageLog &log : logs) {
        ByPeer<std::uint32_t> of_peer;
        for (const LoggedMessage message : log.messages)
            if (is_taken(message)) ++of_peer[message & logged_peer];
        for (const auto &[peer, count] : of_peer.values())
            counts.insert(count);
    }
    return {counts.begin(), counts.end()};
}

bool may_be_several_in_each(std::span<const std::uint32_t> counts) {
    for (const std::uint32_t few : counts)
        if (const std::size_t times = whole_times(counts.back(), few); times >= 2 && times <= most_in_each)
            return true;
    return false;
}

std::uint32_t nearest_count(std::span<const std::uint32_t> counts, std::size_t bursts) {
    const auto off = [&](std::uint32_t count) { return count > bursts ? count - bursts : bursts - count; };
    const auto nearest = std::min_element(counts.begin(), counts.end(),
                                          [&](std::uint32_t a, std::uint32_t b) { return off(a) < off(b); });
    return nearest != counts.end() && 10 * off(*nearest) <= bursts ? *nearest : 0;
}

std::uint32_t count_exchanges(const PlacesOfPeer &places, std::uint32_t known) {
    MessagesByCount messages;
    std::size_t all = 0;
    for (const auto &[peer, of_peer] : places) {
        messages[of_peer.size()] += of_peer.size();
        all += of_peer.size();
    }
    if (all == 0) return 0;
    if (are_several_in_each(messages, known)) return known;
    const std::size_t most = messages.rbegin()->first;
    // Half as many or fewer: one that comes now and then.
    const auto is_between = [&](const auto &m) {
        return 20 * m.first > 11 * most && whole_times(m.first, most) == 0;
    };
    if (std::none_of(messages.begin(), messages.end(), is_between)) return static_cast<std::uint32_t>(most);
    constexpr std::size_t most_tried = 16; // partners with different numbers of messages
    std::size_t exchanges = 0;
    std::size_t tried = 0;
    for (auto with = messages.rbegin(); with != messages.rend() && tried < most_tried; ++with, ++tried) {
        for (std::size_t in_each = 1; in_each <= std::min(most_in_each, with->first); ++in_each) {
            const std::size_t count = with->first / in_each;
            if (count <= exchanges) break;
            std::size_t regular = 0;
            for (const auto &[of_partner, sum] : messages)
                regular += whole_times(of_partner, count) > 0 ? sum : 0;
            if (10 * regular >= 9 * all) exchanges = count;
        }
    }
    return static_cast<std::uint32_t>(exchanges > 0 ? exchanges : most);
}

NumbersOfPeer numbers_given(const PlacesOfPeer &places, std::uint32_t exchanges) {
    NumbersOfPeer numbers;
    if (exchanges == 0) return numbers;
    const std::vector<std::uint32_t> begins = begins_of(places, exchanges);
    for (const auto &[peer, of_peer] : places) {
        std::vector<std::uint32_t> &n = numbers[peer];
        n.reserve(of_peer.size());
        const std::size_t times = whole_times(of_peer.size(), exchanges);
        if (times > 0 || begins.empty()) {
            const std::size_t in_each = std::max<std::size_t>(times, 1);
            const std::size_t missing = in_each == 1 ? best_missing(of_peer, begins) : 0;
            for (std::size_t i = 0; i < of_peer.size(); ++i)
                n.push_back(static_cast<std::uint32_t>((i + missing) / in_each));
            continue;
        }
        for (const std::uint32_t place : of_peer) {
            const auto after = std::upper_bound(begins.begin(), begins.end(), place);
            n.push_back(static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(after - begins.begin(), 1) - 1));
        }
    }
    return numbers;
}

bool just_counts(std::span<const std::uint32_t> numbers) {
    for (std::size_t n = 0; n < numbers.size(); ++n)
        if (numbers[n] != n) return false;
    return true;
}

std::vector<NumberedCall> numbered_calls(const MessageLog &log, const NumbersOfPeer &numbers) {
    struct Partner {
        const std::vector<std::uint32_t> *numbers = nullptr; // null: just counted
        std::uint32_t taken = 0;
        bool known = false;
        [[nodiscard]] std::uint32_t number(std::uint32_t n) const {
            if (numbers == nullptr || numbers->empty()) return n;
            // More than the other side knows of: the last ones were under way when it ended.
            if (n >= numbers->size()) return numbers->back() + (n - static_cast<std::uint32_t>(numbers->size()) + 1);
            return (*numbers)[n];
        }
    };
    ByPeer<Partner> partners;
    std::vector<std::uint32_t> parts; // of each number so far, where the numbers are no more than messages could have
    std::unordered_map<std::uint32_t, std::uint32_t> other_parts;
    const auto next_part = [&](std::uint32_t number) {
        if (number / 2 > log.messages.size()) return ++other_parts[number];
        if (number >= parts.size()) parts.resize(number + std::size_t{1});
        return ++parts[number];
    };
    std::vector<NumberedCall> calls;
    calls.reserve(static_cast<std::size_t>(std::count_if(log.messages.begin(), log.messages.end(),
                                                         [](LoggedMessage m) { return (m & logged_last) != 0; })));
    parts.reserve(calls.capacity());
    std::uint32_t number = 0;
    bool any = false;
    for (const LoggedMessage message : log.messages) {
        Partner &partner = partners[message & logged_peer];
        if (!partner.known) {
            const auto given = numbers.find(message & logged_peer);
            partner = {given == numbers.end() ? nullptr : &given->second, 0, true};
        }
        const bool again = (message & logged_again) != 0 && partner.taken > 0;
        const std::uint32_t of_message = partner.number(again ? partner.taken - 1 : partner.taken);
        if (is_taken(message)) ++partner.taken;
        number = any ? std::max(number, of_message) : of_message;
        any = true;
        if ((message & logged_last) == 0) continue;
        calls.push_back({number, next_part(number)});
        any = false;
    }
    return calls;
}

bool calls_just_count(const MessageLog &log, const NumbersOfPeer &numbers) {
    const auto is_same = [first = log.messages.empty() ? 0 : log.messages.front()](LoggedMessage m) {
        return m == first;
    };
    if (log.messages.empty() || (log.messages.front() & ~logged_peer) != logged_last ||
        !std::all_of(log.messages.begin(), log.messages.end(), is_same))
        return false;
    const auto given = numbers.find(log.messages.front() & logged_peer);
    return given == numbers.end() || just_counts(given->second);
}

std::vector<std::uint32_t> pack_numbers(std::span<const std::uint32_t> numbers) {
    std::vector<std::uint32_t> words; // first number and how many, in turn
    for (const std::uint32_t n : numbers) {
        if (!words.empty() && words[words.size() - 2] + words.back() == n)
            ++words.back();
        else
            words.insert(words.end(), {n, 1});
    }
    return words;
}

std::vector<std::uint32_t> unpack_numbers(std::span<const std::uint32_t> words, std::size_t most) {
    std::vector<std::uint32_t> numbers;
    for (; words.size() >= 2; words = words.subspan(2))
        for (std::uint32_t i = 0; i < words[1] && numbers.size() < most; ++i)
            numbers.push_back(words[0] + i);
    return numbers;
}

} // namespace cpl_lb
