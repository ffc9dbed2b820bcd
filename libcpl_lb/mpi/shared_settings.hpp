// cpl_lb_init's first step: who came, and the settings of the run, read on the lowest process that came.
#pragma once

#include "data/settings.hpp"
#include "mpi/roll_call.hpp"

#include <functional>
#include <string>
#include <vector>

namespace cpl_lb {

struct SharedSettings {
    Settings settings;        // enabled only if this process takes part in a recording
    int code = 0;             // CPL_LB_OK or an error
    std::string message;      // for standard error on this process; may be empty
    std::vector<int> present; // ranks of the mailbox that are recorded, ascending; empty when switched off
    bool partial = false;     // some of its processes are not
    std::string missing;      // on the lowest of those present: who is not, in words
    std::string differs;      // what a namelist that this process finds says otherwise, in words; may be empty
};

// The letters of the roll call between all processes of the model's communicator.
class RollCallMailbox : public Mailbox {
public:
    [[nodiscard]] virtual bool all_sent() = 0;     // as far as others took them
    [[nodiscard]] virtual bool broken() const = 0; // for seconds no letter could even be begun
};

// Begins what all of the list come to. CPL_LB_OK, or an error and what to say of it.
using Join = std::function<int(const RankSet &present, std::string &message)>;

// Called by every process that has the library. Waits asleep: for a word of the others at most 5 s if nothing at hand
// switches on, else as long as first_wait_s says; who has promised to wait for the decision waits as long as that
// takes. `join` is called by all who are recorded, at once after the decision: nothing comes in between that could
// fail.
[[nodiscard]] SharedSettings share_settings(RollCallMailbox &mail, const Join &join);

// Where nobody can be written to: off, and on the first process of the job and of each node `why`, if something at
// hand says: record.
[[nodiscard]] SharedSettings without_letters(int rank, const std::string &why);

// The longest wait for others inside cpl_lb_init: rn_timeout if it was given, else 30 s, because an executable
// without the library never comes.
[[nodiscard]] double first_wait_s(bool switched_on, bool timeout_given, double timeout_s);

} // namespace cpl_lb
