// Stands for otf2.cpp in a build without OTF2: says so when the format is asked for.
#include "export/event_sink.hpp"
#include "io/files/file_error.hpp"

namespace cpl_lb {

std::unique_ptr<EventSink> make_otf2_sink(const std::string &folder, const CoupledRun & /*run*/,
                                          const ExportSelection & /*selection*/) {
    throw FileError(folder, "this cpl-lb was built without OTF2 (Debian: libotf2-trace-dev)");
}

} // namespace cpl_lb
