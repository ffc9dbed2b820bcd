// Records exchanges as events.
#include "profiling/session.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace cpl_lb::profiling {
namespace {

// Filled again in each call. Used only by the thread that records.
std::vector<int> fields_of_call;
std::vector<Crossing> round_of_call;

// The n-th message of a call with the same process and field.
struct InRound {
    std::size_t round = 0, place = 0;
};
std::vector<InRound> sorted_of_call;

// Sorts by round and keeps the order within a round. False: each process has one message, so there is one round.
bool sort_by_round(const std::vector<Crossing> &messages) {
    sorted_of_call.clear();
    for (std::size_t place = 0; place < messages.size(); ++place)
        sorted_of_call.push_back({0, place});
    const auto partner = [&](const InRound &m) {
        return std::pair(messages[m.place].field, messages[m.place].process);
    };
    std::sort(sorted_of_call.begin(), sorted_of_call.end(), [&](const InRound &a, const InRound &b) {
        return std::pair(partner(a), a.place) < std::pair(partner(b), b.place);
    });
    bool several = false;
    for (std::size_t i = 1; i < sorted_of_call.size(); ++i) {
        if (partner(sorted_of_call[i]) != partner(sorted_of_call[i - 1])) continue;
        sorted_of_call[i].round = sorted_of_call[i - 1].round + 1;
        several = true;
    }
    if (!several) return false;
    std::sort(sorted_of_call.begin(), sorted_of_call.end(), [](const InRound &a, const InRound &b) {
        return std::tie(a.round, a.place) < std::tie(b.round, b.place);
    });
    return true;
}

// Adds each field once, after those of earlier rounds.
void add_fields(const std::vector<Crossing> &messages) {
    const std::size_t before = fields_of_call.size();
    for (const Crossing &message : messages) {
        const auto mine = fields_of_call.begin() + static_cast<std::ptrdiff_t>(before);
        if (std::find(mine, fields_of_call.end(), message.field) == fields_of_call.end())
            fields_of_call.push_back(message.field);
    }
}

// Calls visit(messages) for each round of the sorted ones.
template <class Visit>
void for_each_round(const std::vector<Crossing> &messages, Visit visit) {
    for (auto first = sorted_of_call.begin(); first != sorted_of_call.end();) {
        round_of_call.clear();
        const std::size_t round = first->round;
        for (; first != sorted_of_call.end() && first->round == round; ++first)
            round_of_call.push_back(messages[first->place]);
        visit(round_of_call);
    }
}

} // namespace

void Session::span(int kind, const std::vector<int> &fields, std::uint64_t begin, std::uint64_t end, int early,
                   std::uint64_t early_end) {
    poll_over();
    probe_over();
    is_exchange();
    cpl_lb_span(kind, fields.data(), static_cast<int>(fields.size()), begin, end, early, early_end);
}

void Session::span(int kind, int field, std::uint64_t begin, std::uint64_t end) {
    if (field <= 0) return;
    poll_over();
    probe_over();
    is_exchange();
    cpl_lb_span(kind, &field, 1, begin, end);
}

void Session::span(int kind, const Crossing &message, std::uint64_t begin, std::uint64_t end) {
    if (message.field <= 0) return;
    span(kind, message.field, begin, end);
    logs_.add(kind, message);
}

// A second message with the same process in one call belongs to the next exchange: it is an event of its own, at the
// same time.
void Session::span(int kind, const std::vector<Crossing> &messages, std::uint64_t begin, std::uint64_t end,
                   const std::vector<Crossing> &early, std::uint64_t early_end) {
    poll_over();
    probe_over(); // its message stands in the log before those of this call
    fields_of_call.clear();
    const auto add = [&](const std::vector<Crossing> &round) {
        add_fields(round);
        logs_.add(kind, round);
    };
    const auto add_all = [&](const std::vector<Crossing> &all) {
        if (sort_by_round(all)) return for_each_round(all, add);
        add(all);
    };
    add_all(messages);
    const std::size_t late = fields_of_call.size();
    if (!early.empty()) add_all(early);
    span(kind, fields_of_call, begin, end, static_cast<int>(fields_of_call.size() - late), early_end);
}

} // namespace cpl_lb::profiling
