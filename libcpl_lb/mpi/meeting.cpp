// Tells the candidates of the arrival, waits for their verdict, and leads if this process has to.
#include "mpi/meeting.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace cpl_lb {
namespace {

constexpr int arrival_tag = 14;
constexpr int verdict_tag = 15;
constexpr std::size_t most_candidates = 4;
// A process may wait here for hours while the others compute: it must not disturb them.
constexpr std::chrono::microseconds longest_sleep_of_meeting{5000};

constexpr std::int64_t not_here = std::numeric_limits<std::int64_t>::max();

// Then the ranks of the missing follow: nearly always none.
struct VerdictHead {
    std::int64_t earliest_ns;
    std::int64_t latest_ns;
    std::int64_t missing;
};

std::vector<int> candidates_of(const Layout &layout) {
    std::vector<int> ranks;
    for (std::size_t c = 0; c < layout.component_names.size() && c < most_candidates; ++c)
        ranks.push_back(layout.lowest_rank_of_component(static_cast<std::int32_t>(c)));
    return ranks;
}

class MeetingPlace {
public:
    MeetingPlace(Transport &transport, const Layout &layout, std::int64_t arrival_ns, std::int64_t offset_ns)
        : t_(transport), candidates_(candidates_of(layout)), arrivals_(candidates_.size(), not_here),
          arrival_ns_(arrival_ns), offset_ns_(offset_ns), here_(static_cast<std::size_t>(layout.size()), false) {
        const auto at = std::find(candidates_.begin(), candidates_.end(), t_.rank());
        place_ = static_cast<std::size_t>(at - candidates_.begin());
        timeout_ns_ = static_cast<std::int64_t>(std::min(t_.timeout_s(), longest_wait_s) * 1e9);
        margin_ns_ = std::clamp<std::int64_t>(timeout_ns_ / 10, 200'000'000, 2'000'000'000);
        note(t_.rank(), arrival_ns);
    }

    Meeting run() {
        announce();
        const std::int64_t end =
            arrival_ns_ + timeout_ns_ + margin_ns_ * static_cast<std::int64_t>(candidates_.size() + 2);
        Patience patience(longest_sleep_of_meeting);
        while (!decided_) {
            collect_arrivals();
            if (verdict_in_.under_way() && t_.test(verdict_in_)) {
                read_verdict();
            } else if (is_candidate() && may_decide()) {
                decide();
            } else if (now() > end || t_.failed()) {
                break;
            } else {
                t_.pause(patience, next_look(end) - offset_ns_);
            }
        }
        return finish();
    }

private:
    [[nodiscard]] bool is_candidate() const { return place_ < candidates_.size(); }
    [[nodiscard]] std::int64_t now() { return t_.now_ns() + offset_ns_; }

    // When something may change without a message: on the common clock.
    [[nodiscard]] std::int64_t next_look(std::int64_t end) {
        if (!is_candidate()) return end;
        return decides_at() > now() ? std::min(decides_at(), end) : end;
    }
    // Each candidate gives those before it a margin, so that two never decide.
    [[nodiscard]] std::int64_t decides_at() const {
        return earliest_ns_ + timeout_ns_ + margin_ns_ * static_cast<std::int64_t>(place_);
    }

    void note(int rank, std::int64_t arrival_ns) {
        if (rank < 0 || static_cast<std::size_t>(rank) >= here_.size()) return;
        if (here_[static_cast<std::size_t>(rank)]) return;
        here_[static_cast<std::size_t>(rank)] = true;
        ++arrived_;
        const auto candidate = std::find(candidates_.begin(), candidates_.end(), rank);
        if (candidate != candidates_.end())
            arrivals_[static_cast<std::size_t>(candidate - candidates_.begin())] = arrival_ns;
        earliest_ns_ = arrived_ == 1 ? arrival_ns : std::min(earliest_ns_, arrival_ns);
        latest_ns_ = arrived_ == 1 ? arrival_ns : std::max(latest_ns_, arrival_ns);
    }

    void announce() {
        verdict_in_ =
            t_.start_receive(any_rank, verdict_tag, sizeof(VerdictHead) + here_.size() * sizeof(std::int32_t));
        if (is_candidate()) ask_for_arrival();
        for (const int candidate : candidates_) {
            if (candidate == t_.rank()) continue;
            sends_.push_back(t_.start_send(candidate, arrival_tag, as_wire(arrival_ns_)));
        }
    }

    void ask_for_arrival() { arrival_in_ = t_.start_receive(any_rank, arrival_tag, sizeof(std::int64_t)); }

    void collect_arrivals() {
        if (!is_candidate()) return;
        int source = -1;
        while (arrived_ < here_.size() && arrival_in_.under_way() && t_.test(arrival_in_, &source)) {
            WireReader in(arrival_in_.data());
            const auto arrival_ns = in.get<std::int64_t>();
            in.finish("an arrival");
            note(source, arrival_ns);
            ask_for_arrival();
        }
    }

    // Rank 0 when all are there. After the time is up the lowest candidate that came in time. One that came later,
    // even if it is rank 0 and finds all there, might decide at the same time as the one that did not know of it.
    [[nodiscard]] bool may_decide() {
        if (place_ == 0 && arrived_ == here_.size()) return came_in_time(0) || none_in_time(candidates_.size());
        return came_in_time(place_) && now() >= decides_at() && none_in_time(place_);
    }
    [[nodiscard]] bool came_in_time(std::size_t candidate) const {
        return arrivals_[candidate] <= earliest_ns_ + timeout_ns_;
    }
    [[nodiscard]] bool none_in_time(std::size_t candidates) const {
        for (std::size_t c = 0; c < candidates; ++c)
            if (came_in_time(c)) return false;
        return true;
    }

    void decide() {
        decided_ = true;
        std::vector<std::int32_t> missing;
        for (std::size_t r = 0; r < here_.size(); ++r)
            if (!here_[r]) missing.push_back(static_cast<std::int32_t>(r));
        WireWriter out;
        out.put(VerdictHead{earliest_ns_, latest_ns_, static_cast<std::int64_t>(missing.size())});
        for (const std::int32_t r : missing)
            out.put(r);
        const Bytes verdict = out.take();
        // The missing get it too: it waits for them, should they come.
        for (int r = 0; r < t_.size(); ++r)
            if (r != t_.rank()) sends_.push_back(t_.start_send(r, verdict_tag, verdict));
    }

    void read_verdict() {
        decided_ = true;
        WireReader in(verdict_in_.data());
        const auto head = in.get<VerdictHead>();
        std::vector<std::int32_t> missing;
        in.get_values(static_cast<std::size_t>(head.missing), missing);
        in.finish("who is missing");
        earliest_ns_ = head.earliest_ns;
        latest_ns_ = head.latest_ns;
        here_.assign(here_.size(), true);
        for (const std::int32_t rank : missing)
            if (rank >= 0 && static_cast<std::size_t>(rank) < here_.size())
                here_[static_cast<std::size_t>(rank)] = false;
    }

    Meeting finish() {
        Meeting m;
        m.held = decided_;
        m.earliest_ns = earliest_ns_;
        m.latest_ns = latest_ns_;
        for (std::size_t r = 0; r < here_.size(); ++r)
            (here_[r] ? m.present : m.missing).push_back(static_cast<int>(r));
        m.includes_me = decided_ && here_[static_cast<std::size_t>(t_.rank())];
        return m;
    }

    Transport &t_;
    std::vector<int> candidates_;
    std::vector<std::int64_t> arrivals_; // of the candidates
    std::size_t place_ = 0;
    std::int64_t arrival_ns_;
    std::int64_t offset_ns_;
    std::int64_t timeout_ns_ = 0;
    std::int64_t margin_ns_ = 0;
    // Some never complete: arrivals at candidates that do not come, and verdicts to the missing.
    std::vector<Letter> sends_;
    Letter arrival_in_;
    Letter verdict_in_;
    std::vector<bool> here_;
    std::size_t arrived_ = 0;
    std::int64_t earliest_ns_ = 0;
    std::int64_t latest_ns_ = 0;
    bool decided_ = false;
};

} // namespace

Meeting meet(Transport &transport, const Layout &layout, std::int64_t arrival_ns, std::int64_t offset_ns) {
    return MeetingPlace(transport, layout, arrival_ns, offset_ns).run();
}

} // namespace cpl_lb
