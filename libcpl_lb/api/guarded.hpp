// The guard around every entry point of the C interface. It sets the default floating-point environment, and turns
// each mistake and exception into a code and, once, one line.
#pragma once

#include "cpl_lb/cpl_lb.h"
#include "support/default_float.hpp"

#include <exception>
#include <new>

namespace cpl_lb {

// Prints "cpl_lb: CALL: WHY" on standard error, once for each cause and process, and returns the code. Silent in a
// forked child.
int refuse(const char *call, int code, const char *why) noexcept;

template <class Action>
int guarded(const char *call, Action action) noexcept {
    const DefaultFloat ours;
    try {
        return action();
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

} // namespace cpl_lb
