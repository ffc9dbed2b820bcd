// Follows the marks as a small machine: which events are open says whose the time since the mark before is.
#include "record/recent_steps.hpp"

#include <algorithm>
#include <utility>

namespace cpl_lb {
namespace {

// What a model can make grow is bounded: forgotten ends, components on one process, exchanges that are counted.
constexpr std::size_t most_open = 256, most_components = 64, most_counted = 1000;

// Kind and field in one number.
std::uint32_t number_of(unsigned kind, std::uint32_t field) {
    return field << 4U | kind;
}

double seconds(std::uint64_t ticks, double ticks_per_s) {
    return static_cast<double>(ticks) / ticks_per_s;
}

} // namespace

// Half as many more, so that exchanges that are as frequent do not take turns.
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

// Older gaps count less and less: a model that computes faster from now on has no bursts.
void RecentSteps::Gaps::add(std::uint64_t ticks) {
    constexpr std::uint64_t many = 64;
    if (count == many) {
        sum = (sum - longest) / 2;
        count = (count - 1) / 2;
        longest = 0;
    }
    sum += ticks;
    longest = std::max(longest, ticks);
    ++count;
}

bool RecentSteps::Gaps::is_burst(std::uint64_t ticks) const {
    return count > 1 && 10 * ticks * (count - 1) < sum - longest;
}

void RecentSteps::Component::forget_steps() {
    begins.clear();
    next = 0;
}

void RecentSteps::Component::add_begin(const Sums &begin) {
    if (begins.size() <= most_recent_steps)
        begins.push_back(begin);
    else
        begins[next] = begin;
    next = (next + 1) % (most_recent_steps + 1);
}

const RecentSteps::Sums &RecentSteps::Component::begin_before(std::size_t steps) const {
    return begins[(next + most_recent_steps - steps) % (most_recent_steps + 1)];
}

void RecentSteps::Component::exchange_begins(std::uint32_t exchange) {
    if (reference.count(exchange)) {
        forget_steps();
        gaps = {};
        occurred = bursts = false;
    }
    if (!reference.is(exchange)) return;
    const std::uint64_t gap = sums.computing() - computing_before;
    computing_before = sums.computing();
    const bool in_burst = occurred && gaps.is_burst(gap);
    if (std::exchange(occurred, true)) gaps.add(gap);
    if (!in_burst) return add_begin(sums);
    if (std::exchange(bursts, true) || begins.empty()) return;
    const Sums latest = begin_before(0); // before it each exchange of a burst passed for a step
    forget_steps();
    add_begin(latest);
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
        if (components_.size() < most_components || components_.contains(now)) components_[now].exchange_begins(what);
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
        for (auto &[id, component] : components_) // steps do not go on over what is not recorded
            component.forget_steps();
    }
}

RecentTimes RecentSteps::last(const Recorder &recorder, std::size_t steps, double ticks_per_s) {
    recorder.store().read_on(place_, [this](const MarkRead &mark, std::uint64_t ticks) { take(mark, ticks); });
    RecentTimes times;
    times.component = component_now();
    const auto found = components_.find(component_now());
    if (found == components_.end() || found->second.begins.size() < 2) return times;
    const Component &component = found->second;
    steps = std::min({steps, component.begins.size() - 1, most_recent_steps});
    const Sums &from = component.begin_before(steps), &to = component.begin_before(0);
    times.steps = static_cast<int>(steps);
    times.seconds = seconds(to.present - from.present, ticks_per_s);
    times.waiting_s = seconds(to.waiting - from.waiting, ticks_per_s);
    times.coupling_s = seconds(to.coupling - from.coupling, ticks_per_s);
    times.own_s = seconds(to.own - from.own, ticks_per_s);
    return times;
}

} // namespace cpl_lb
