// Exchanges as events.
#include "profiling/session.hpp"

#include <algorithm>

namespace cpl_lb::profiling {
namespace {

// Of one call, and of the one thread that records.
std::vector<int> fields_of_call, counterparts_of_call, fields_of_more;

bool add_if_new(std::vector<int> &list, int what) {
    if (std::find(list.begin(), list.end(), what) != list.end()) return false;
    list.push_back(what);
    return true;
}

} // namespace

void Session::span(int kind, const std::vector<int> &fields, std::uint64_t begin, std::uint64_t end) {
    poll_over();
    probe_over();
    is_exchange();
    cpl_lb_span(kind, fields.data(), static_cast<int>(fields.size()), begin, end);
}

void Session::span(int kind, int field, std::uint64_t begin, std::uint64_t end) {
    if (field <= 0) return;
    poll_over();
    probe_over();
    is_exchange();
    cpl_lb_span(kind, &field, 1, begin, end);
}

// What belongs to an occurrence that has begun in another call is time for the same component, and no other event of
// the field.
int Session::field_of_more(int kind, int field) {
    return unmatched_field(field, kind == CPL_LB_PUT ? "sent to more processes" : "got from more processes");
}

void Session::span(int kind, const Crossing &message, std::uint64_t begin, std::uint64_t end) {
    if (message.field <= 0) return;
    const bool begins = occurrences_.begins(kind, message);
    span(kind, begins ? message.field : field_of_more(kind, message.field), begin, end);
}

void Session::span(int kind, const std::vector<Crossing> &messages, std::uint64_t begin, std::uint64_t end) {
    std::vector<int> &fields = fields_of_call;
    std::vector<int> &counterparts = counterparts_of_call;
    fields.clear();
    counterparts.clear();
    fields_of_more.clear();
    const auto counterpart_of = [this](int field) { return counterpart_of_field_[static_cast<std::size_t>(field)]; };
    for (const Crossing &message : messages) {
        if (occurrences_.begins(kind, message)) {
            fields.push_back(message.field);
            add_if_new(counterparts, counterpart_of(message.field));
        } else {
            fields_of_more.push_back(message.field);
        }
    }
    for (const int field : fields_of_more)
        if (add_if_new(counterparts, counterpart_of(field))) fields.push_back(field_of_more(kind, field));
    span(kind, fields, begin, end);
}

} // namespace cpl_lb::profiling
