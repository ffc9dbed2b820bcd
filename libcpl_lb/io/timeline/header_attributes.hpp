// The attributes of a timeline that say what its header says, for writing (Attributes) and reading (AttributeReader).
#pragma once

#include "io/timeline/netcdf_attributes.hpp"
#include "io/timeline/timeline.hpp"
#include "support/either.hpp"

#include <cstdint>

namespace cpl_lb {

inline constexpr std::int64_t largest_nameless_id = 100'000;

template <class Way, Either<TimelineHeader> Header>
void header_attributes(const Way &way, Header &header) {
    way.text("component_name", header.component_name);
    way.integer("component_id", header.component_id, 0, largest_nameless_id);
    way.text("run_id", header.run_id);
    way.text_if_any("zero_time", header.zero_time);
    way.real("simulated_seconds", header.simulated_s);
    way.real("year_days", header.year_days);
    way.real("clock_error_bound_s", header.clock_error_bound_s);
    way.time("init_s", header.first_init);
    way.time("terminate_s", header.last_terminate);
    way.time("window_first_s", header.window_first);
    way.time("window_last_s", header.window_last);
    way.integer("threads", header.threads, 1, 1 << 20);
    way.integer("dropped_events", header.dropped_events, 0, std::int64_t{1} << 53U);
}

} // namespace cpl_lb
