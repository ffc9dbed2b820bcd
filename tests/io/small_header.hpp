// The header of a component alone, whose processes record so many GETs.
#pragma once

#include "io/timeline/timeline.hpp"

namespace cpl_lb::test {

inline TimelineHeader small_header(std::int64_t processes, std::size_t events) {
    TimelineHeader header;
    header.component_name = "ocean";
    header.component_id = 1;
    header.component_names = {"ocean"};
    header.processes = processes;
    header.keys.assign(events, EventKey{Kind::get});
    return header;
}

} // namespace cpl_lb::test
