// An OTF2 archive (Score-P's Open Trace Format 2): a node of the system's tree and a communicator for each component,
// a location group with one location for each process, a region for each component and, inside it, for each kind,
// field and counterpart; a message for each exchange (arrows.hpp), of unknown length; nanoseconds.
#pragma once

#include "export/event_sink.hpp"

#include <memory>

namespace cpl_lb {

// folder: must not exist; it appears in finish(). Throws FileError, also where this build has no OTF2.
[[nodiscard]] std::unique_ptr<EventSink> make_otf2_sink(const std::string &folder, const CoupledRun &run,
                                                        const ExportSelection &selection);

} // namespace cpl_lb
