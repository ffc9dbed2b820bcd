// Means over processes from means over some of them.
#include "run/timers/shares.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <map>

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

} // namespace

void add_part(TimedPart &part, const TimedPart &other) {
    part.mean_s = joint_mean(part.mean_s, part.processes, other.mean_s, other.processes);
    part.min_s = std::min(part.min_s, other.min_s);
    part.max_s = std::max(part.max_s, other.max_s);
    part.calls = part.calls > 0 && other.calls > 0 ? part.calls + other.calls : 0;
    part.processes += other.processes;
    part.from = joint_source(part.from, part.processes);
}

void join_parts(std::vector<TimedPart> &parts, const std::vector<TimedPart> &others,
                const std::function<void(TimedPart &part, const TimedPart &other)> &join) {
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < parts.size(); ++i)
        places.try_emplace(parts[i].name, i);
    for (const TimedPart &other : others) {
        const auto [place, is_new] = places.try_emplace(other.name, parts.size());
        if (is_new)
            parts.push_back(other);
        else
            join(parts[place->second], other);
    }
}

void add_to(TimedFigure &sum, const TimedFigure &one) {
    if (!sum.known()) {
        sum = one;
        return;
    }
    sum.value += one.value;
    sum.from += " + " + one.from;
}

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
    join_parts(component.parts, other.parts, add_part);
    component.processes += other.processes;
    component.processes_from = joint_source(component.processes_from, component.processes);
}

} // namespace cpl_lb
