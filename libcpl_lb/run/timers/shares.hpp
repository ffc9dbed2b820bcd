// Files that tell of some processes of a component each, as of one component.
#pragma once

#include "run/timers/timed_run.hpp"

#include <array>
#include <functional>
#include <vector>

namespace cpl_lb {

inline constexpr std::array timed_component_figures = {
    &TimedComponent::computing_s,      &TimedComponent::waiting_s,        &TimedComponent::mapping_s,
    &TimedComponent::mapping_spread_s, &TimedComponent::output_s,         &TimedComponent::output_spread_s,
    &TimedComponent::restart_s,        &TimedComponent::restart_spread_s, &TimedComponent::imbalance_s,
    &TimedComponent::jitter_s,         &TimedComponent::loop_s,           &TimedComponent::startup_s,
    &TimedComponent::shutdown_s};

// Adds the processes of `other` to those of `component` (TimedComponent::is_share). A figure that one of them lacks
// becomes unknown: it would not be that of all processes.
void add_share(TimedComponent &component, const TimedComponent &other);

// Adds a part of other processes.
void add_part(TimedPart &part, const TimedPart &other);

// Those that stand in both are joined, by name; the others come behind.
void join_parts(std::vector<TimedPart> &parts, const std::vector<TimedPart> &others,
                const std::function<void(TimedPart &part, const TimedPart &other)> &join);

// Adds a figure to a sum that may not be known yet.
void add_to(TimedFigure &sum, const TimedFigure &one);

// "the mean of 12 processes, the first: XIOS (xios_server_00.out, line 3)": of a source that may be such a one
// already.
[[nodiscard]] std::string joint_source(const std::string &from, std::int64_t processes);

} // namespace cpl_lb
