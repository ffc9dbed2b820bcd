// cpl_lb_init's first step: who came, and the settings of the run, read on the lowest process that came.
#pragma once

#include "data/settings.hpp"
#include "mpi/roll_call.hpp"

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
    [[nodiscard]] virtual bool broken() const = 0; // a letter could not even be begun
};

// Called by every process that has the library; no collective operation. Waits asleep: where nothing at hand
// switches on at most 5 s, else as long as first_wait_s says.
[[nodiscard]] SharedSettings share_settings(RollCallMailbox &mail);

// The longest wait for others inside cpl_lb_init: rn_timeout where it was given, else 30 s, because an executable
// without the library never comes.
[[nodiscard]] double first_wait_s(bool switched_on, bool timeout_given, double timeout_s);

} // namespace cpl_lb
