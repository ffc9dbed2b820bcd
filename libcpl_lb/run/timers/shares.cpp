// Means over processes from means over some of them.
#include "run/timers/shares.hpp"

#include "support/fmt.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

double joint_mean(double a, std::int64_t processes, double b, std::int64_t others) {
    const auto all = static_cast<double>(processes + others);
    return (a * static_cast<double>(processes) + b * static_cast<double>(others)) / all;
}

void add_figure(TimedFigure &figure, std::int64_t processes, const TimedFigure &other, std::int64_t others) {
    if (!figure.known() || !other.known()) {
        figure = {};
        return;
    }
    figure.value = joint_mean(figure.value, processes, other.value, others);
    figure.from = joint_source(figure.from, processes + others);
}

void add_part(std::vector<TimedPart> &parts, const TimedPart &other) {
    const auto same =
        std::find_if(parts.begin(), parts.end(), [&](const TimedPart &part) { return part.name == other.name; });
    if (same == parts.end()) {
        parts.push_back(other);
        return;
    }
    same->mean_s = joint_mean(same->mean_s, same->processes, other.mean_s, other.processes);
    same->min_s = std::min(same->min_s, other.min_s);
    same->max_s = std::max(same->max_s, other.max_s);
    same->calls = same->calls > 0 && other.calls > 0 ? same->calls + other.calls : 0;
    same->processes += other.processes;
    same->from = joint_source(same->from, same->processes);
}

} // namespace

std::string joint_source(const std::string &from, std::int64_t processes) {
    constexpr std::string_view mark = ", the first: ";
    const std::size_t at = from.find(mark);
    const std::string first = at == std::string::npos ? from : from.substr(at + mark.size());
    return fmt::format("the mean of {} processes{}{}", processes, mark, first);
}

void add_share(TimedComponent &component, const TimedComponent &other) {
    for (TimedFigure TimedComponent::*figure : timed_component_figures)
        add_figure(component.*figure, component.processes, other.*figure, other.processes);
    if (component.waits.size() == other.waits.size())
        for (std::size_t i = 0; i < other.waits.size(); ++i)
            add_figure(component.waits[i].seconds, component.processes, other.waits[i].seconds, other.processes);
    for (const TimedPart &part : other.parts)
        add_part(component.parts, part);
    component.processes += other.processes;
    component.processes_from = joint_source(component.processes_from, component.processes);
}

} // namespace cpl_lb
