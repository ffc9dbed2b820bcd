// Reports the arrival to the candidates, waits for their verdict, and leads if this process has to.
#include "mpi/meeting.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace cpl_lb {
namespace {

constexpr int arrival_tag = 14;
constexpr int verdict_tag = 15;
constexpr int branch_tag = 20;
constexpr int call_tag = 21;
constexpr std::size_t most_candidates = 4;
// A process may wait here for hours while the others compute, and must not disturb them.
constexpr std::chrono::microseconds longest_sleep_of_meeting{5000};
constexpr std::int64_t slow_part_of_timeout = 4; // of which somebody is awaited: arrivals no longer go by the tree

constexpr std::int64_t not_here = std::numeric_limits<std::int64_t>::max();

// A branch of the tree of ranks, with rank 0 at its root, all of whose processes have come. Goes up the tree.
struct Branch {
    std::int64_t earliest_ns, latest_ns;
    std::array<std::int64_t, most_candidates> candidates; // when each came, if it is of this branch
};

// Head of the verdict; the ranks of the missing follow. Without missing ranks it goes down the tree.
struct VerdictHead {
    std::int64_t earliest_ns;
    std::int64_t latest_ns;
    std::int64_t missing;
};

std::vector<int> candidates_of(const ProcessMap &process_map) {
    std::vector<int> ranks;
    for (std::size_t c = 0; c < process_map.component_names.size() && c < most_candidates; ++c)
        ranks.push_back(process_map.lowest_rank_of_component(static_cast<std::int32_t>(c)));
    return ranks;
}

// The tree: the parent of rank r has r's lowest set bit cleared.
std::vector<int> children_of(int rank, int size) {
    std::vector<int> children;
    for (int bit = 1; (rank & bit) == 0 && rank + bit < size; bit *= 2)
        children.push_back(rank + bit);
    return children;
}

class MeetingPlace {
public:
    MeetingPlace(Transport &transport, const ProcessMap &process_map, std::int64_t arrival_ns, std::int64_t offset_ns)
        : t_(transport), candidates_(candidates_of(process_map)), children_(children_of(t_.rank(), t_.size())),
          arrival_ns_(arrival_ns),
          offset_ns_(offset_ns), branch_{arrival_ns, arrival_ns, {not_here, not_here, not_here, not_here}} {
        const auto at = std::find(candidates_.begin(), candidates_.end(), t_.rank());
        place_ = static_cast<std::size_t>(at - candidates_.begin());
        timeout_ns_ = static_cast<std::int64_t>(std::min(t_.timeout_s(), longest_wait_s) * 1e9);
        margin_ns_ = std::clamp<std::int64_t>(timeout_ns_ / 10, 200'000'000, 2'000'000'000);
        announces_at_ns_ = arrival_ns + timeout_ns_ / slow_part_of_timeout;
        if (!is_candidate()) return;
        here_.assign(static_cast<std::size_t>(t_.size()), false);
        note(t_.rank(), arrival_ns);
        branch_.candidates[place_] = arrival_ns;
    }

    Meeting run() {
        begin();
        const std::int64_t end =
            arrival_ns_ + timeout_ns_ + margin_ns_ * static_cast<std::int64_t>(candidates_.size() + 2);
        Patience patience(longest_sleep_of_meeting);
        while (!decided_) {
            collect_branches();
            collect_arrivals();
            announce_if_slow();
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
    [[nodiscard]] bool all_are_here() const { return is_candidate() && arrived_ == here_.size(); }

    // The next time, on the common clock, at which something may change without a message.
    [[nodiscard]] std::int64_t next_look(std::int64_t end) {
        if (!announced_) end = std::min(end, announces_at_ns_);
        if (!is_candidate()) return end;
        return decides_at() > now() ? std::min(decides_at(), end) : end;
    }
    // Each candidate leaves a margin to those before it, so that two never decide. A candidate that has just called
    // the others gives them time to answer.
    [[nodiscard]] std::int64_t decides_at() const {
        const std::int64_t turn = earliest_ns_ + timeout_ns_ + margin_ns_ * static_cast<std::int64_t>(place_);
        return called_ ? std::max(turn, called_at_ns_ + margin_ns_) : turn;
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

    void begin() {
        verdict_in_ = t_.start_receive(
            any_rank, verdict_tag, sizeof(VerdictHead) + static_cast<std::size_t>(t_.size()) * sizeof(std::int32_t));
        call_in_ = t_.start_receive(any_rank, call_tag, 0);
        for (const int child : children_)
            branches_in_.push_back(t_.start_receive(child, branch_tag, sizeof(Branch)));
        branches_out_ = branches_in_.size();
        if (is_candidate()) {
            ask_for_arrival();
            tell_candidates(); // the candidates' decisions depend on each other
        }
    }

    void tell_candidates() {
        announced_ = true;
        for (const int candidate : candidates_) {
            if (candidate == t_.rank()) continue;
            sends_.push_back(t_.start_send(candidate, arrival_tag, as_wire(arrival_ns_)));
        }
    }

    void collect_branches() {
        for (Letter &letter : branches_in_) {
            if (!letter.under_way() || !t_.test(letter)) continue;
            WireReader in(letter.data());
            const auto theirs = in.get<Branch>();
            in.finish("a branch of the meeting");
            letter = Letter();
            branch_.earliest_ns = std::min(branch_.earliest_ns, theirs.earliest_ns);
            branch_.latest_ns = std::max(branch_.latest_ns, theirs.latest_ns);
            for (std::size_t c = 0; c < most_candidates; ++c)
                branch_.candidates[c] = std::min(branch_.candidates[c], theirs.candidates[c]);
            --branches_out_;
        }
        if (branches_out_ > 0 || branch_told_) return;
        branch_told_ = true;
        const int me = t_.rank();
        if (me != 0) {
            sends_.push_back(t_.start_send(me & (me - 1), branch_tag, as_wire(branch_)));
        } else if (!all_are_here()) { // the whole tree
            here_.assign(here_.size(), true);
            arrived_ = here_.size();
            arrivals_ = branch_.candidates;
            earliest_ns_ = branch_.earliest_ns;
            latest_ns_ = branch_.latest_ns;
        }
    }

    // Somebody is late. Those who are there, and those who come later, report to the candidates directly, because a
    // branch reports only when all of it has come.
    void announce_if_slow() {
        if (!announced_ && (now() >= announces_at_ns_ || t_.test(call_in_))) tell_candidates();
        if (is_candidate() && !called_ && !all_are_here() && (now() >= announces_at_ns_ || others_are_slow_)) call();
    }
    void call() {
        called_ = true;
        called_at_ns_ = now();
        for (int r = 0; r < t_.size(); ++r)
            if (!here_[static_cast<std::size_t>(r)]) sends_.push_back(t_.start_send(r, call_tag, {}));
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
            if (std::find(candidates_.begin(), candidates_.end(), source) == candidates_.end())
                others_are_slow_ = true;
            ask_for_arrival();
        }
    }

    // Rank 0 may decide when all are there; after the time is up, the lowest candidate that came in time. A later
    // one, even rank 0 that finds all there, might decide at the same time as one that did not know of it.
    [[nodiscard]] bool may_decide() {
        if (place_ == 0 && all_are_here()) return came_in_time(0) || none_in_time(candidates_.size());
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

    // The missing get the verdict, too: they will find it if they come.
    void decide() {
        decided_ = true;
        for (std::size_t r = 0; r < here_.size(); ++r)
            if (!here_[r]) missing_.push_back(static_cast<std::int32_t>(r));
        if (missing_.empty() && t_.rank() == 0) return pass_verdict_down();
        const Bytes verdict = packed_verdict();
        for (int r = 0; r < t_.size(); ++r)
            if (r != t_.rank()) sends_.push_back(t_.start_send(r, verdict_tag, verdict));
    }
    [[nodiscard]] Bytes packed_verdict() const {
        WireWriter out;
        out.put(VerdictHead{earliest_ns_, latest_ns_, static_cast<std::int64_t>(missing_.size())});
        for (const std::int32_t r : missing_)
            out.put(r);
        return out.take();
    }
    // The largest branch first, because its way is the longest.
    void pass_verdict_down() {
        const Bytes verdict = packed_verdict();
        std::for_each(children_.rbegin(), children_.rend(),
                      [&](int child) { sends_.push_back(t_.start_send(child, verdict_tag, verdict)); });
    }

    void read_verdict() {
        decided_ = true;
        WireReader in(verdict_in_.data());
        const auto head = in.get<VerdictHead>();
        missing_.clear();
        in.get_values(static_cast<std::size_t>(head.missing), missing_);
        in.finish("who is missing", std::is_sorted(missing_.begin(), missing_.end()) &&
                                        (missing_.empty() || (missing_.front() >= 0 && missing_.back() < t_.size())));
        earliest_ns_ = head.earliest_ns;
        latest_ns_ = head.latest_ns;
        if (missing_.empty()) pass_verdict_down();
    }

    Meeting finish() {
        Meeting m;
        m.held = decided_;
        m.earliest_ns = earliest_ns_;
        m.latest_ns = latest_ns_;
        m.missing.assign(missing_.begin(), missing_.end());
        if (!decided_) return m;
        std::int32_t next = 0;
        for (const std::int32_t r : missing_) {
            m.present.push_counting(next, r);
            next = r + 1;
        }
        m.present.push_counting(next, t_.size());
        m.includes_me = !std::binary_search(missing_.begin(), missing_.end(), t_.rank());
        return m;
    }

    Transport &t_;
    std::vector<int> candidates_;
    std::vector<int> children_;
    std::array<std::int64_t, most_candidates> arrivals_ = {not_here, not_here, not_here,
                                                           not_here}; // of the candidates
    std::size_t place_ = 0;
    std::int64_t arrival_ns_;
    std::int64_t offset_ns_;
    std::int64_t timeout_ns_ = 0;
    std::int64_t margin_ns_ = 0;
    std::int64_t announces_at_ns_ = 0;
    bool announced_ = false; // to the candidates
    bool called_ = false;    // all others, as a candidate
    std::int64_t called_at_ns_ = 0;
    bool others_are_slow_ = false; // processes that are no candidates reported themselves
    // Some of these never complete: reports to candidates that do not come, and verdicts to the missing.
    std::vector<Letter> sends_;
    Letter arrival_in_;
    Letter verdict_in_;
    Letter call_in_;
    std::vector<Letter> branches_in_;
    std::size_t branches_out_ = 0; // not yet told
    Branch branch_;                // led by this process, as far as its processes have come
    bool branch_told_ = false;
    std::vector<bool> here_; // candidates only
    std::size_t arrived_ = 0;
    std::vector<std::int32_t> missing_;
    std::int64_t earliest_ns_ = 0;
    std::int64_t latest_ns_ = 0;
    bool decided_ = false;
};

} // namespace

Meeting meet(Transport &transport, const ProcessMap &process_map, std::int64_t arrival_ns, std::int64_t offset_ns) {
    return MeetingPlace(transport, process_map, arrival_ns, offset_ns).run();
}

} // namespace cpl_lb
