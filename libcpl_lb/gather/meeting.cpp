#include "gather/meeting.hpp"

#include "record/clock.hpp"

#include <algorithm>
#include <memory>

namespace cpl_lb {
namespace {

constexpr int arrival_tag = 14;
constexpr int verdict_tag = 15;
constexpr std::size_t most_candidates = 4;
// A process may wait here for hours while the others compute: it must not disturb them.
constexpr std::chrono::microseconds longest_sleep_of_meeting{5000};

struct VerdictHead {
    std::int64_t earliest_ns;
    std::int64_t latest_ns;
};

std::vector<int> candidates_of(const Layout &layout) {
    std::vector<int> ranks;
    for (std::size_t c = 0; c < layout.component_names.size() && c < most_candidates; ++c)
        ranks.push_back(layout.lowest_rank_of_component(static_cast<std::int32_t>(c)));
    return ranks;
}

// Buffers of messages that may still be under way when we go on: they live until the process ends.
struct InFlight {
    std::int64_t arrival_ns = 0;
    std::int64_t incoming_ns = 0;
    Bytes verdict_out;
    Bytes verdict_in;
    std::vector<MPI_Request> sends;
    MPI_Request arrival_in = MPI_REQUEST_NULL;
    MPI_Request verdict_request = MPI_REQUEST_NULL;
};

class MeetingPlace {
public:
    MeetingPlace(Transport &transport, const Layout &layout, std::int64_t arrival_ns, std::int64_t offset_ns)
        : t_(transport), candidates_(candidates_of(layout)), offset_ns_(offset_ns), mail_(new InFlight),
          here_(static_cast<std::size_t>(layout.size()), false) {
        const auto at = std::find(candidates_.begin(), candidates_.end(), t_.rank());
        place_ = static_cast<std::size_t>(at - candidates_.begin());
        mail_->arrival_ns = arrival_ns;
        mail_->verdict_in.resize(sizeof(VerdictHead) + here_.size());
        timeout_ns_ = static_cast<std::int64_t>(std::min(t_.timeout_s(), 3.2e7) * 1e9);
        margin_ns_ = std::clamp<std::int64_t>(timeout_ns_ / 10, 200'000'000, 2'000'000'000);
        note(t_.rank(), arrival_ns);
    }

    Meeting run() {
        announce();
        const std::int64_t end =
            mail_->arrival_ns + timeout_ns_ + margin_ns_ * static_cast<std::int64_t>(candidates_.size() + 2);
        Patience patience(longest_sleep_of_meeting);
        while (!decided_) {
            collect_arrivals();
            if (t_.test(mail_->verdict_request)) {
                read_verdict();
            } else if (is_candidate() && may_decide()) {
                decide();
            } else if (now() > end || t_.failed()) {
                break;
            } else {
                patience.pause();
            }
        }
        return finish();
    }

private:
    [[nodiscard]] bool is_candidate() const { return place_ < candidates_.size(); }
    [[nodiscard]] std::int64_t now() const { return static_cast<std::int64_t>(monotonic_ns()) + offset_ns_; }

    void note(int rank, std::int64_t arrival_ns) {
        if (rank < 0 || static_cast<std::size_t>(rank) >= here_.size()) return;
        if (here_[static_cast<std::size_t>(rank)]) return;
        here_[static_cast<std::size_t>(rank)] = true;
        ++arrived_;
        earliest_ns_ = arrived_ == 1 ? arrival_ns : std::min(earliest_ns_, arrival_ns);
        latest_ns_ = arrived_ == 1 ? arrival_ns : std::max(latest_ns_, arrival_ns);
    }

    void announce() {
        mail_->verdict_request = t_.start_receive(MPI_ANY_SOURCE, verdict_tag, mail_->verdict_in);
        if (is_candidate())
            mail_->arrival_in = t_.start_receive(MPI_ANY_SOURCE, arrival_tag, as_wire_out(mail_->incoming_ns));
        for (const int candidate : candidates_) {
            if (candidate == t_.rank()) continue;
            mail_->sends.push_back(t_.start_send(candidate, arrival_tag, as_wire(mail_->arrival_ns)));
        }
    }

    void collect_arrivals() {
        if (!is_candidate()) return;
        int source = -1;
        while (arrived_ < here_.size() && t_.test(mail_->arrival_in, &source)) {
            note(source, mail_->incoming_ns);
            mail_->arrival_in = t_.start_receive(MPI_ANY_SOURCE, arrival_tag, as_wire_out(mail_->incoming_ns));
        }
    }

    // Rank 0 when all are there. After the time is up the lowest candidate that came in time; each gives those
    // before it a margin, so that two never decide.
    [[nodiscard]] bool may_decide() const {
        if (place_ == 0 && arrived_ == here_.size()) return true;
        const std::int64_t time_is_up = earliest_ns_ + timeout_ns_;
        if (mail_->arrival_ns > time_is_up || now() < time_is_up + margin_ns_ * static_cast<std::int64_t>(place_))
            return false;
        return std::none_of(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(place_),
                            [&](int rank) { return here_[static_cast<std::size_t>(rank)]; });
    }

    void decide() {
        decided_ = true;
        mail_->verdict_out.resize(sizeof(VerdictHead) + here_.size());
        const VerdictHead head{earliest_ns_, latest_ns_};
        std::memcpy(mail_->verdict_out.data(), &head, sizeof head);
        for (std::size_t r = 0; r < here_.size(); ++r)
            mail_->verdict_out[sizeof head + r] = static_cast<std::byte>(here_[r] ? 1 : 0);
        // The missing get it too: it waits for them, should they come.
        for (int r = 0; r < t_.size(); ++r)
            if (r != t_.rank()) mail_->sends.push_back(t_.start_send(r, verdict_tag, mail_->verdict_out));
    }

    void read_verdict() {
        decided_ = true;
        VerdictHead head{};
        std::memcpy(&head, mail_->verdict_in.data(), sizeof head);
        earliest_ns_ = head.earliest_ns;
        latest_ns_ = head.latest_ns;
        for (std::size_t r = 0; r < here_.size(); ++r)
            here_[r] = mail_->verdict_in[sizeof head + r] != std::byte{0};
    }

    Meeting finish() {
        if (mail_->verdict_request != MPI_REQUEST_NULL) t_.cancel(mail_->verdict_request);
        if (mail_->arrival_in != MPI_REQUEST_NULL) t_.cancel(mail_->arrival_in);
        Meeting m;
        m.held = decided_;
        m.earliest_ns = earliest_ns_;
        m.latest_ns = latest_ns_;
        for (std::size_t r = 0; r < here_.size(); ++r)
            (here_[r] ? m.present : m.missing).push_back(static_cast<int>(r));
        m.includes_me = decided_ && here_[static_cast<std::size_t>(t_.rank())];
        release_mail();
        return m;
    }

    // Sends to processes that never come cannot complete: their buffers are left to them.
    void release_mail() {
        int all = 1;
        for (MPI_Request &r : mail_->sends)
            if (r != MPI_REQUEST_NULL && !t_.test(r)) all = 0;
        if (all == 0) {
            for (MPI_Request &r : mail_->sends)
                if (r != MPI_REQUEST_NULL) t_.note_error(MPI_Request_free(&r), "MPI_Request_free");
            static_cast<void>(mail_.release());
        }
    }

    Transport &t_;
    std::vector<int> candidates_;
    std::size_t place_ = 0;
    std::int64_t offset_ns_;
    std::int64_t timeout_ns_ = 0;
    std::int64_t margin_ns_ = 0;
    std::unique_ptr<InFlight> mail_;
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
