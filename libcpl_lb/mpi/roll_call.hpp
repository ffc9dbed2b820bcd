// Who came to cpl_lb_init, and which settings the run has: found out by messages from process to process alone. An
// executable without the library never joins a collective operation, and one that is begun and given up breaks the
// model's next one (docs/decisions/roll_call.md).
//
// Each process tells the leader of its block of four ranks when all of the block came; the leaders do the same among
// themselves, up to rank 0. When all came, the verdict comes back the same way: that is all that happens in nearly
// every run. Where somebody is missing: a process that hears nothing looks for one of a lower rank, the nearest
// first, and joins it. So the processes that came hang together, and the lowest of them decides when its patience is
// over.
//
// Nobody takes part in anything collective before it is known that all the others wait for it: a verdict that
// switches on is confirmed by every process, then the lowest says "go" with the list of those who confirmed.
//
// Knows no MPI and no clock: messages go through a Mailbox, times come in as seconds.
#pragma once

#include "mpi/rank_set.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

struct Mail {
    int from = -1;
    Bytes text;
};

class Mailbox {
public:
    Mailbox() = default;
    Mailbox(const Mailbox &) = delete;
    Mailbox &operator=(const Mailbox &) = delete;
    virtual ~Mailbox() = default;
    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;
    virtual void send(int to, const Bytes &text) = 0; // never waits
    [[nodiscard]] virtual std::optional<Mail> next() = 0;
};

// What a process knows by itself when it comes.
struct RollCallPart {
    std::string settings;                                  // encoded; empty: nothing here switches on
    std::int32_t code = 0;                                 // of reading them
    bool asks = false;                                     // something here says: record, even if it cannot be read
    double patience_s = 0;                                 // how long it would wait for the others
    std::function<bool(const std::string &)> accepts = {}; // whether it can read the settings of another; none: yes
};

struct Verdict {
    std::int32_t root = -1; // the lowest rank that came: its settings count
    std::int32_t code = 0;
    std::string settings;  // empty: switched off
    RankSet present;       // who is recorded; empty when switched off
    double patience_s = 0; // the root's
};

class RollCall {
public:
    static constexpr double longest_confirmation_s = 5.0;

    RollCall(Mailbox &mail, RollCallPart mine, double now_s);

    // Reads what has come and answers it. False: it is over.
    bool step(double now_s);

    // Once it is over. Nothing: the others did not answer.
    [[nodiscard]] const std::optional<Verdict> &verdict() const { return verdict_; }
    // False: nobody above this process is known (yet).
    [[nodiscard]] bool leads() const { return parent_ < 0 && (me_ == 0 || now_s_ >= search_at_s_); }
    [[nodiscard]] const RankSet &came() const { return came_; } // as far as known here
    // The lowest rank that asks for a recording, as far as known here; -1: none.
    [[nodiscard]] std::int32_t first_asker() const { return first_asker_; }
    [[nodiscard]] double ends_at_s() const { return give_up_at_s_; }

private:
    enum class Stage : std::uint8_t { gathering, confirming, waiting_for_go, lingering, over };
    enum class Kind : std::uint8_t { here = 1, heard, verdict, confirm, go };

    void read(const Mail &letter);
    void read_here(int from, WireReader &in);
    void read_heard(int from, WireReader &in);
    void read_verdict(int from, WireReader &in);
    void read_confirm(int from, WireReader &in);
    void read_go(int from, WireReader &in);
    void gather();
    void report_up();
    void search();
    void decide();
    void pass_verdict_on();
    void tell_verdict(int to);
    void tell_heard(int to);
    void tell_go(int to);
    void confirm_up();
    void end_with(RankSet present);
    void linger();
    [[nodiscard]] bool block_is_complete() const;
    [[nodiscard]] bool knows_it_is_off() const;

    Mailbox &mail_;
    RollCallPart mine_;
    int me_, size_;
    double now_s_;
    double slow_at_s_, search_at_s_, wave_s_; // when somebody seems to be missing, and the pace of the search
    double give_up_at_s_;
    Stage stage_ = Stage::gathering;

    int block_leader_;        // -1: this is rank 0
    std::int32_t block_last_; // of the block of ranks that this process leads
    RankSet came_;
    std::int32_t first_asker_ = -1;
    std::vector<int> children_; // who told this process of themselves
    std::vector<int> heard_;    // children that were told so
    int parent_ = -1;           // the process below this rank that answered
    int told_ = -1;             // whom came_ was sent to last ...
    RankSet told_came_;         // ... and what it was then
    double told_at_s_ = 0;
    std::int32_t searched_to_; // ranks from here up to this one were asked
    std::int32_t next_wave_ = 1;
    double next_wave_at_s_ = 0;
    double last_arrival_s_ = 0;

    std::optional<Verdict> verdict_;
    int verdict_from_ = -1;
    double confirm_s_ = longest_confirmation_s; // how long to wait for confirmations
    std::vector<int> unconfirmed_;              // children that have not answered the verdict
    RankSet confirmed_;
    double stage_ends_at_s_ = 0;
};

// Small, so that a process whose executable begins at another rank than 0 asks few others in vain.
inline constexpr std::int32_t roll_call_block = 4;

} // namespace cpl_lb
