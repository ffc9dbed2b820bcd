// The guard around every entry point of the C interface. It sets the default floating-point environment, and turns
// each mistake and exception into a code and, once, one line. Beside it what the entry points must know of the
// process.
#pragma once

#include "cpl_lb/cpl_lb.h"
#include "support/default_float.hpp"

#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace cpl_lb {

// Prints "cpl_lb: CALL: WHY" on standard error, once for each call, cause and process, and returns the code. The same
// words with other numbers or other texts in quotes are the same cause. Silent in a forked child.
int refuse(const char *call, int code, std::string_view why) noexcept;

// The calls that were refused more than once for a cause, and how often. Their causes have dots in place of what may
// differ.
struct Refusals {
    std::string cause;
    std::int64_t count;
};
[[nodiscard]] std::vector<Refusals> repeated_refusals();

// The cause in `why`: '...' in place of a text in quotes, ... in place of a number.
[[nodiscard]] std::string cause_of(std::string_view why);

// A mistake of the model, for which the entry point gives this code. Thrown only where guarded() catches it.
struct Mistake {
    int code;
    std::string why;
};

// What the action gives, or CPL_LB_OK.
template <class Action>
int code_of(Action action) {
    if constexpr (std::is_void_v<decltype(action())>) {
        action();
        return CPL_LB_OK;
    } else {
        return static_cast<int>(action());
    }
}

template <class Action>
int guarded(const char *call, Action action) noexcept {
    const DefaultFloat ours;
    try {
        return code_of(action);
    } catch (const Mistake &mistake) {
        return refuse(call, mistake.code, mistake.why);
    } catch (const std::bad_alloc &) {
        return refuse(call, CPL_LB_ENOMEM, "out of memory");
    } catch (const std::exception &e) {
        return refuse(call, CPL_LB_EINTERNAL, e.what());
    } catch (...) {
        return refuse(call, CPL_LB_EINTERNAL, "unknown error");
    }
}

class Recording;

// The recording, for entry points outside of c_api.cpp on the thread that records.
// Null if this thread records nothing: switched off, another thread than that of cpl_lb_init, after terminate.
[[nodiscard]] Recording *recording_here() noexcept;

// Calls entry(recording, with) between init and terminate, guarded, on the thread that records; 0 if switched off.
// Off the hot path.
int while_recording(const char *call, int (*entry)(Recording &, void *), void *with) noexcept;
template <class Entry>
int while_recording(const char *call, Entry entry) noexcept { // NOLINT(bugprone-exception-escape): guarded() calls it
    const auto enter = [](Recording &recording, void *with) {
        return code_of([&] { return (*static_cast<Entry *>(with))(recording); });
    };
    return while_recording(call, enter, &entry);
}

// Whether the running MPI is the one that this library was built with. Handles of two MPIs differ (integers in MPICH,
// pointers in OpenMPI), so that the first call with a handle of the other one would end the model.
enum class MpiFamily { open_mpi, mpich, other };

// The family of an MPI, from the text of MPI_Get_library_version. MPICH's family shares one binary interface.
[[nodiscard]] MpiFamily family_of(std::string_view library_version);

// Why the two MPIs do not fit; empty: they fit. Needs no handle, and may be called at any time.
[[nodiscard]] std::string why_not_this_mpi();

// Whether this process prints it: one of the job, as far as the launcher's environment shows.
[[nodiscard]] bool is_told_here();

// Forks: the forking thread calls leave() in every child that is forked while MPI runs. True: this is set up.
// A child that is forked before MPI_Init may become the model itself, so nothing is done there.
bool watch_forks(void (*leave)()) noexcept;
[[nodiscard]] bool in_forked_child() noexcept;

} // namespace cpl_lb
