// Finds out who came to cpl_lb_init and which settings the run has, on a board of notices: an executable without the
// library never joins a collective operation, a collective operation that is begun and given up breaks the model's
// next one, and a message on the model's communicator can be taken by a receive of the model
// (docs/decisions/roll_call.md).
//
// Each process puts up a notice that it is here. That is a promise: it waits for the decision, however long that
// takes. Rank 0 leads. If its settings are "off", it decides at once. If they are "on", it waits until all are here
// or its patience is over. Then it decides: those who are here are recorded. If rank 0 does not come, the lowest
// process that is here leads when its own patience is over. Who comes later finds the decision.
//
// Nobody hangs, whoever is suspended and whenever: a list holds only processes that promised to wait for a decision,
// and there is one decision. So the processes of the list can begin a collective operation: each of them comes to it.
// One decision, because the board keeps the first, or because of Lamport's one-bit algorithm (The mutual exclusion
// problem, part II, J. ACM 33, 1986, section 4.1), which needs no more than notices.
//
// Knows neither MPI nor a clock of its own.
#pragma once

#include "mpi/notice_board.hpp"
#include "mpi/rank_set.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

// What a process knows by itself when it arrives.
struct RollCallPart {
    int rank = 0, size = 1;
    std::string version;     // of the library: only processes with the leader's are recorded
    std::string settings;    // encoded; empty: nothing here switches on
    std::int32_t code = 0;   // of reading them
    std::string off_because; // in words, for those who ask for a recording
    bool asks = false;       // something here says: record, even if it cannot be read
    double patience_s = 0;   // how long it would wait for the others
};

struct Verdict {
    std::int32_t root = -1; // the rank that led: its settings count
    std::int32_t code = 0;
    std::string version;   // the root's
    std::string settings;  // empty: switched off
    bool readable = false; // false: another version of the library wrote it, or there was no room for it
    std::string off_because;
    RankSet present;       // the processes that are recorded; empty when switched off
    double patience_s = 0; // the root's
    bool late = false;     // the others had gone on before this process came
    [[nodiscard]] bool others_record() const { return late && !settings.empty(); }
};

class RollCall {
public:
    // now_s: seconds of any clock.
    RollCall(NoticeBoard &board, RollCallPart mine, std::function<double()> now_s);

    enum class Arrival : std::uint8_t {
        announced,   // others may count on this process: step() until it is over
        over,        // there is a verdict
        cannot_join, // nobody counts on this process
        not_here,    // the board cannot be used, or another copy of the library in this program uses it
    };
    // Must be called first. can_join: whether this process could take part in a recording.
    [[nodiscard]] Arrival arrive(const std::function<bool()> &can_join);

    // Looks at the board. False: the call is over, and there is a verdict. May be called again after an exception (no
    // memory).
    bool step();

    [[nodiscard]] const Verdict &verdict() const { return *verdict_; }
    // Whether this process leads, or would if its patience were over now.
    [[nodiscard]] bool leads();
    // The processes that came, as far as this one has looked; all if it leads.
    [[nodiscard]] const RankSet &came() const { return came_; }
    // Whether this process is the first of the job to speak about a recording that it does not get.
    [[nodiscard]] bool may_speak() { return board_.put_line("spoken"); }
    [[nodiscard]] double ends_at_s() const { return give_up_at_s_; }

    [[nodiscard]] static std::string notice_of(int rank);

private:
    enum class Turn : std::uint8_t { none, waits_for_higher, has_it };

    bool look();
    [[nodiscard]] bool is_decided_soon();
    void look_for_others();
    [[nodiscard]] bool is_here(int rank);
    [[nodiscard]] bool somebody_lower_is_here();
    [[nodiscard]] bool is_time_to_decide(double now_s);
    [[nodiscard]] bool has_the_turn();
    [[nodiscard]] bool lower_wants_it();
    [[nodiscard]] bool higher_wants_it();
    void decide();
    [[nodiscard]] bool read_decision();

    NoticeBoard &board_;
    RollCallPart mine_;
    std::function<double()> now_s_;
    double give_up_at_s_, next_look_at_s_ = 0, quickest_look_s_;
    RankSet came_;             // with this version of the library
    std::vector<int> awaited_; // not here, when this process last looked
    bool leads_, follows_ = false, has_looked_for_all_ = false;
    Turn turn_ = Turn::none;
    std::optional<Verdict> verdict_;
};

} // namespace cpl_lb
