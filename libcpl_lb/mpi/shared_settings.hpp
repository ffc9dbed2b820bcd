// cpl_lb_init's first step: who came, and the settings of the run, read on the lowest process that came.
#pragma once

#include "data/settings.hpp"
#include "io/settings/settings_source.hpp"
#include "mpi/roll_call.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

inline constexpr const char *no_communicator_left = "MPI makes no more communicators: switched off here";

struct SharedSettings {
    Settings settings;        // enabled only if this process takes part in a recording
    int code = 0;             // CPL_LB_OK or an error
    std::string message;      // for standard error on this process; may be empty
    std::vector<int> present; // ranks of the communicator that are recorded, ascending; empty when switched off
    bool partial = false;     // some of its processes are not
    std::string missing;      // on the lowest rank present: who is missing, in words
    std::string differs;      // how this process's own namelist differs, in words; may be empty
};

// The settings that this process finds in its own folder and environment.
struct AtHand {
    SettingsResult loaded;
    RollCallPart part;
    bool folder_is_relative = false; // then it differs between working directories
};
[[nodiscard]] AtHand look_around(int rank, int size);

// How the recorded processes get their communicator.
struct Joining {
    std::function<bool()> is_possible; // here; asked before others count on this process
    // The collective operation that all of the list begin. Returns CPL_LB_OK, or an error and its message.
    std::function<int(const RankSet &present, std::string &message)> join;
};

// Called by every process that has the library. Sleeps until there is a decision: at most 5 s if nothing here
// switches the library on, else as long as first_wait_s says, and as long as a process that is here needs to decide.
// All recorded processes call `join` right after the decision: nothing that could fail comes in between. Empty: this
// board cannot be used, or it is that of another copy of the library in this program.
[[nodiscard]] std::optional<SharedSettings> share_settings(NoticeBoard &board, const AtHand &hand,
                                                           const Joining &joining);

// The settings of process 0, for processes that all come. spread: copies the text of process 0 to all.
[[nodiscard]] SharedSettings
share_settings_of_root(const AtHand &hand, const std::function<void(std::string &)> &spread, const Joining &joining);

// The settings if the processes of this job cannot find each other: off. If something here asks for a recording, the
// first process of the job and of each node says `why`.
[[nodiscard]] SharedSettings without_board(const AtHand &hand, const char *why);

// The longest wait for others inside cpl_lb_init: rn_timeout if it was given, else 30 s, because an executable
// without the library never comes.
[[nodiscard]] double first_wait_s(bool switched_on, bool timeout_given, double timeout_s);

} // namespace cpl_lb
