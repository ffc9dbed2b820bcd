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
    std::string missing;      // on the lowest rank present: who is missing, in words
    std::string differs;      // how this process's own namelist differs, in words; may be empty
};

// The letters of the roll call between all processes of the model's communicator.
class RollCallMailbox : public Mailbox {
public:
    [[nodiscard]] virtual bool all_sent() = 0;     // all letters that others accepted have left
    [[nodiscard]] virtual bool broken() const = 0; // no letter could be begun for seconds
};

// Begins the collective operation that all of the list call. Returns CPL_LB_OK, or an error and its message.
using Join = std::function<int(const RankSet &present, std::string &message)>;

// Called by every process that has the library. Sleeps until a word of the others comes: at most 5 s if nothing here
// switches the library on, else as long as first_wait_s says. A process that has promised to wait for the decision
// waits as long as that takes. All recorded processes call `join` right after the decision: nothing that could fail
// comes in between.
[[nodiscard]] SharedSettings share_settings(RollCallMailbox &mail, const Join &join);

// The settings if no letters can be sent: off. If something here asks for a recording, the first process of the job
// and of each node says `why`.
[[nodiscard]] SharedSettings without_letters(int rank, const std::string &why);

// The longest wait for others inside cpl_lb_init: rn_timeout if it was given, else 30 s, because an executable
// without the library never comes.
[[nodiscard]] double first_wait_s(bool switched_on, bool timeout_given, double timeout_s);

} // namespace cpl_lb
