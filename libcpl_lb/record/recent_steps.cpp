// A small state machine over the marks: the open events tell to whom the time since the last mark belongs.
#include "record/recent_steps.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

namespace cpl_lb {
namespace {

// Bounds for what a model can make grow: missing ends, components on one process, counted exchanges.
constexpr std::size_t most_open = 256, most_components = 64, most_counted = 1000;

// Kind and field in one number.
std::uint32_t number_of(unsigned kind, std::uint32_t field) {
    return field << 4U | kind;
}

double seconds(std::uint64_t ticks, double ticks_per_s) {
    return static_cast<double>(ticks) / ticks_per_s;
}

} // namespace

// A new reference is half as frequent again, so that equally frequent exchanges do not alternate.
bool RecentSteps::Reference::count(std::uint32_t exchange) {
    if (latest_.size() < most_counted) {
        latest_.push_back(exchange);
    } else {
        const std::uint32_t gone = std::exchange(latest_[oldest_], exchange);
        oldest_ = (oldest_ + 1) % most_counted;
        if (--counts_[gone] == 0) counts_.erase(gone);
    }
    const std::uint32_t count = ++counts_[exchange];
    if (is(exchange)) return false;
    const auto found = any_ ? counts_.find(reference_) : counts_.end();
    if (found != counts_.end() && 2 * count <= 3 * found->second) return false;
    reference_ = exchange;
    return any_ = true;
}

void RecentSteps::Component::forget_steps() {
    occurrences.clear();
    next = 0;
}

const RecentSteps::Sums &RecentSteps::Component::occurrence(std::size_t place) const {
    if (occurrences.size() > most_recent_steps) place += next;
    return occurrences[place < occurrences.size() ? place : place - occurrences.size()];
}

void RecentSteps::Component::exchange_begins(std::uint32_t exchange, std::uint64_t at) {
    if (reference.count(exchange)) forget_steps();
    if (!reference.is(exchange)) return;
    sums.at = at;
    if (occurrences.size() <= most_recent_steps)
        occurrences.push_back(sums);
    else
        occurrences[next] = sums;
    next = (next + 1) % (most_recent_steps + 1);
}

bool RecentSteps::Component::is_right_after(std::size_t place, std::uint64_t ticks) const {
    return occurrence(place).computing() - occurrence(place - 1).computing() < ticks;
}

// The rule of analysis/window.cpp on these data: a gap below a tenth of the mean is "right after".
std::vector<std::size_t> RecentSteps::Component::begins_of_bursts(std::size_t first) const {
    const std::size_t end = occurrences.size(), count = end - first;
    if (count < 6) return {};
    std::uint64_t longest = 0, shortest = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = first + 1; i < end; ++i) {
        const std::uint64_t between = occurrence(i).computing() - occurrence(i - 1).computing();
        longest = std::max(longest, between);
        shortest = std::min(shortest, between);
    }
    const std::uint64_t all = occurrence(end - 1).computing() - occurrence(first).computing();
    const std::uint64_t right_after = (all - longest) / (count - 2) / 10;
    if (shortest >= right_after) return {}; // nearly always
    std::size_t bursts = 1;
    for (std::size_t i = first + 1; i < end; ++i)
        bursts += is_right_after(i, right_after) ? 0 : 1;
    if (10 * bursts > 6 * count || bursts < 3) return {}; // 4 of 5 with two or more: at most 5 in 9
    std::vector<std::size_t> begins = {first};
    for (std::size_t i = first + 1; i < end; ++i)
        if (!is_right_after(i, right_after)) begins.push_back(i);
    std::vector<std::size_t> sizes; // without the first and the last, of which a part may be missing
    for (std::size_t i = 2; i < begins.size(); ++i)
        sizes.push_back(begins[i] - begins[i - 1]);
    std::sort(sizes.begin(), sizes.end());
    const std::size_t usual = sizes[sizes.size() / 5];
    if (usual < 2) return {};
    // A burst with fewer exchanges is united with the next one.
    std::vector<std::size_t> steps;
    for (std::size_t i = 1; i < begins.size(); ++i)
        if (steps.empty() || begins[i] - steps.back() >= usual) steps.push_back(begins[i]);
    return steps;
}

// A look at the latest exchanges tells whether there are bursts; nearly always there are none.
std::vector<std::size_t> RecentSteps::Component::begins_of_steps(std::size_t wanted) const {
    const std::size_t count = occurrences.size(), look = std::max<std::size_t>(64, 16 * wanted);
    std::vector<std::size_t> begins = begins_of_bursts(count > look ? count - look : 0);
    if (!begins.empty() && begins.size() <= wanted && count > look) begins = begins_of_bursts(0);
    return begins;
}

void RecentSteps::pass_time(std::uint64_t ticks) {
    const std::uint64_t passed = any_ && ticks > ticks_ ? ticks - ticks_ : 0;
    ticks_ = std::max(ticks, ticks_);
    any_ = true;
    const std::uint64_t own = std::min(std::exchange(own_ticks_, 0), passed);
    const auto component = components_.find(component_now());
    if (component == components_.end()) return;
    Sums &sums = component->second.sums;
    sums.own += own;
    sums.present += passed - own;
    if (open_.empty()) return;
    const Kind innermost = open_.back().kind;
    if (is_exchange(innermost)) sums.waiting += passed - own;
    if (is_exchange(innermost) || is_mapping(innermost) || is_output(innermost)) sums.coupling += passed - own;
}

void RecentSteps::begin(Kind kind, std::uint32_t what) {
    if (is_exchange(kind) && open_exchanges_ == 0) {
        const std::uint32_t now = component_now();
        if (components_.size() < most_components || components_.contains(now))
            components_[now].exchange_begins(what, ticks_);
    }
    if (open_.size() == most_open) { // ends are missing
        open_.clear();
        open_exchanges_ = 0;
    }
    open_.push_back({what, kind});
    open_exchanges_ += is_exchange(kind) ? 1 : 0;
}

void RecentSteps::end(std::uint32_t what) {
    const auto is_it = [what](const Open &open) { return open.what == what; };
    const auto found = std::find_if(open_.rbegin(), open_.rend(), is_it);
    if (found == open_.rend()) return;
    open_exchanges_ -= is_exchange(found->kind) ? 1 : 0;
    open_.erase(std::next(found).base());
}

void RecentSteps::take(const MarkRead &mark, std::uint64_t ticks) {
    pass_time(ticks);
    if (is_begin(mark.code)) {
        const unsigned kind = mark.code - begin_code(0);
        begin(static_cast<Kind>(kind), number_of(kind, mark.id));
    } else if (is_end(mark.code)) {
        end(number_of(mark.code - end_code(0), mark.id));
    } else if (mark.code == static_cast<unsigned>(MarkCode::component_begin)) {
        if (inside_.size() < most_open) inside_.push_back(mark.id);
    } else if (mark.code == static_cast<unsigned>(MarkCode::component_end)) {
        if (!inside_.empty()) inside_.pop_back();
    } else if (mark.code == static_cast<unsigned>(MarkCode::pause) ||
               mark.code == static_cast<unsigned>(MarkCode::resume)) {
        open_.clear();
        open_exchanges_ = 0;
        for (auto &[id, component] : components_) // steps do not go on over a gap in the recording
            component.forget_steps();
    }
}

RecentTimes RecentSteps::last(const Recorder &recorder, std::size_t steps, double ticks_per_s) {
    try {
        recorder.store().read_on(place_, [this](const MarkRead &mark, std::uint64_t ticks) { take(mark, ticks); });
    } catch (const std::bad_alloc &) { // perhaps in the middle of a mark: the next call begins anew
        *this = RecentSteps();
        throw;
    }
    RecentTimes times;
    times.component = component_now();
    const auto found = components_.find(component_now());
    if (found == components_.end() || found->second.occurrences.size() < 2) return times;
    const Component &component = found->second;
    const std::vector<std::size_t> bursts = component.begins_of_steps(steps);
    const std::size_t begins = bursts.empty() ? component.occurrences.size() : bursts.size();
    steps = std::min(steps, begins - 1);
    const auto begin_before = [&](std::size_t n) -> const Sums & {
        return component.occurrence(bursts.empty() ? begins - 1 - n : bursts[begins - 1 - n]);
    };
    const Sums &from = begin_before(steps), &to = begin_before(0);
    times.steps = static_cast<int>(steps);
    times.seconds = seconds(to.present - from.present, ticks_per_s);
    times.waiting_s = seconds(to.waiting - from.waiting, ticks_per_s);
    times.coupling_s = seconds(to.coupling - from.coupling, ticks_per_s);
    times.own_s = seconds(to.own - from.own, ticks_per_s);
    times.from_ticks = from.at;
    times.to_ticks = to.at;
    return times;
}

} // namespace cpl_lb
