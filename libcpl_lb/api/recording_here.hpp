// The recording, for entry points outside of c_api.cpp on the thread that records.
#pragma once

namespace cpl_lb {

class Recording;

// Null if this thread records nothing: switched off, another thread than that of cpl_lb_init, after terminate.
[[nodiscard]] Recording *recording_here() noexcept;

} // namespace cpl_lb
