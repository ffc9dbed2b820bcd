// An OTF2 archive (Score-P's Open Trace Format 2): a location group for each component, a location for each process,
// a region for each kind, field and counterpart; nanoseconds.
#pragma once

#include "export/event_sink.hpp"

#include <memory>

namespace cpl_lb {

[[nodiscard]] bool has_otf2(); // whether this build can write it

// folder: must not exist; it appears in finish(). Throws FileError, also where this build has no OTF2.
[[nodiscard]] std::unique_ptr<EventSink> make_otf2_sink(const std::string &folder, const CoupledRun &run);

} // namespace cpl_lb
