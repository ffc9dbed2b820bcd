// Keeps the stack of open regions, sums their times, and reads their meters.
#include "record/regions.hpp"

#include "support/default_float.hpp"

#include <algorithm>
#include <new>

namespace cpl_lb {
namespace {

// Memory is always read in the first calls, however short, because they often allocate what the region keeps.
constexpr std::int64_t calls_with_memory = 4;

} // namespace

int Regions::id(std::string_view name) {
    if (const auto found = ids_.find(name); found != ids_.end()) return found->second;
    RegionTimer timer{.name = std::string(name)};
    timer.start_counts.assign(now_counts_.size(), unknown);
    timer.counts.assign(now_counts_.size(), 0.0);
    timers_.push_back(std::move(timer));
    const auto number = static_cast<int>(timers_.size());
    ids_.emplace(name, number);
    return number;
}

void Regions::meter_with(RegionProbe &probe) {
    now_counts_.assign(probe.counters(), unknown);
    for (RegionTimer &timer : timers_) {
        timer.start_counts = now_counts_;
        timer.counts.assign(now_counts_.size(), 0.0);
    }
    probe_ = &probe;
    watched_ = true;
}

void Regions::annotate(int region) {
    if (flow_ == nullptr) flow_ = std::make_unique<RegionFlow>(most_edges_);
    watched_ = true;
    flow_->annotate(region, timers_[static_cast<std::size_t>(region) - 1].depth > 0);
}

bool Regions::begin(int region, ClockSource clock) noexcept {
    if (region < 1 || static_cast<std::size_t>(region) > timers_.size()) return false;
    RegionTimer &timer = timers_[static_cast<std::size_t>(region) - 1];
    ++timer.calls;
    if (timer.depth++ > 0) return true;
    if (watched_) enter(region, timer);
    timer.start_ticks = read_ticks(clock);
    return true;
}

Regions::Ended Regions::end(int region, ClockSource clock, std::uint64_t last_event) noexcept {
    if (region < 1 || static_cast<std::size_t>(region) > timers_.size()) return {End::unknown, 0};
    RegionTimer &timer = timers_[static_cast<std::size_t>(region) - 1];
    if (timer.depth == 0) return {End::not_begun, 0};
    if (--timer.depth > 0) return {End::good, 0};
    const std::uint64_t now = read_ticks(clock);
    timer.last_length = now - timer.start_ticks;
    timer.total_ticks += timer.last_length;
    times_.add(region, timer.start_ticks, now, last_event);
    if (watched_) leave(region, timer);
    return {End::good, now};
}

void Regions::enter(int region, RegionTimer &timer) noexcept {
    if (flow_ != nullptr) flow_->enter(region);
    timer.at_begin = sent_;
    if (probe_ != nullptr) start_meters(timer);
}

void Regions::leave(int region, RegionTimer &timer) noexcept {
    if (probe_ != nullptr) stop_meters(timer);
    if (flow_ != nullptr) flow_->leave(region);
    timer.messages = messages_so_far(timer);
}

SentMessages Regions::messages_so_far(const RegionTimer &timer) const noexcept {
    return {timer.messages.count + sent_.count - timer.at_begin.count,
            timer.messages.bytes + sent_.bytes - timer.at_begin.bytes};
}

SentMessages Regions::messages_in(const RegionTimer &timer) const noexcept {
    return timer.depth > 0 ? messages_so_far(timer) : timer.messages;
}

void Regions::start_meters(RegionTimer &timer) noexcept {
    const bool memory = timer.calls <= calls_with_memory || timer.last_length >= probe_->shortest_for_memory_ticks();
    timer.start_B = unknown;
    if (!memory && timer.start_counts.empty()) return;
    const DefaultFloat ours;
    if (memory) timer.start_B = probe_->resident_B();
    if (!timer.start_counts.empty()) probe_->read_counters(timer.start_counts);
}

void Regions::stop_meters(RegionTimer &timer) noexcept {
    if (timer.counts.empty() && !is_known(timer.start_B)) return;
    const DefaultFloat ours;
    if (!timer.counts.empty()) {
        probe_->read_counters(now_counts_);
        for (std::size_t i = 0; i < timer.counts.size(); ++i)
            timer.counts[i] += now_counts_[i] - timer.start_counts[i];
    }
    if (!is_known(timer.start_B)) return;
    const double change_B = probe_->resident_B() - timer.start_B;
    if (!is_known(change_B)) return;
    timer.change_B += change_B;
    ++timer.memory_calls;
}

void Regions::share_energy(double joules, std::uint64_t now) noexcept {
    const bool first = shared_at_ == 0 || now <= shared_at_;
    const auto passed = static_cast<double>(now - shared_at_);
    for (RegionTimer &timer : timers_) {
        const std::uint64_t total = timer.total_at(now);
        if (!first) timer.energy_J += joules * (static_cast<double>(total - timer.shared_ticks) / passed);
        timer.shared_ticks = total;
    }
    shared_at_ = now;
}

void Regions::close_all(std::uint64_t now) noexcept {
    for (RegionTimer &timer : timers_) {
        if (timer.depth == 0) continue;
        timer.total_ticks = timer.total_at(now);
        times_.add(static_cast<int>(&timer - timers_.data()) + 1, timer.start_ticks, now, now);
        timer.messages = messages_in(timer);
        timer.depth = 0;
        if (probe_ != nullptr) stop_meters(timer);
    }
}

void RegionFlow::annotate(int region, bool is_open) {
    if (shows(region)) return;
    const auto place = static_cast<std::size_t>(region);
    if (place >= newest_.size()) {
        shows_.resize(place + 1, false);
        newest_.resize(place + 1, none);
        latest_.resize(place + 1, none);
    }
    shows_[place] = true;
    open_.reserve(newest_.size()); // each region is open once at most: enter() allocates for new edges only
    if (is_open) enter(region);
}

void RegionFlow::enter(int region) noexcept {
    if (!shows(region)) return;
    const auto place = static_cast<std::size_t>(region);
    const int from = open_.empty() ? 0 : open_.back();
    if (open_.size() < open_.capacity()) open_.push_back(region);
    std::size_t at = latest_[place];
    if (at == none || edges_[at].from != from) {
        at = newest_[place];
        while (at != none && edges_[at].from != from)
            at = edges_[at].next;
    }
    if (at == none && edges_.size() >= most_edges_) return;
    if (at == none) {
        try {
            edges_.push_back({from, region, 0, newest_[place]});
        } catch (const std::bad_alloc &) {
            return; // this entry is not counted
        }
        at = newest_[place] = edges_.size() - 1;
    }
    ++edges_[at].times;
    latest_[place] = at;
}

void RegionFlow::leave(int region) noexcept {
    if (!shows(region)) return;
    // Usually the last one, but a model may also end an outer region first.
    const auto at = std::find(open_.rbegin(), open_.rend(), region);
    if (at != open_.rend()) open_.erase(std::next(at).base());
}

} // namespace cpl_lb
