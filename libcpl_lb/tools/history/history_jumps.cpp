// A history's figures that jump, and why nothing is told of it: the eye sees a step that the rule does not.
#include "analysis/arrival_tests.hpp"
#include "analysis/change_points.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/history/history_output.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace cpl_lb {
namespace {

constexpr double visible = 0.05;  // of the largest value: the pictures begin at 0
constexpr std::size_t needed = 3; // runs on each side of a change

struct Stretch {
    std::size_t begin = 0, end = 0; // between two changes
};

Stretch stretch_of(std::size_t at, std::span<const ChangePoint> changes, std::size_t count) {
    Stretch stretch{0, count};
    for (const ChangePoint &c : changes) {
        if (c.at <= at) stretch.begin = c.at;
        if (c.at > at) stretch.end = std::min(stretch.end, c.at);
    }
    return stretch;
}

double median_in(std::span<const double> values) {
    std::vector<double> copy(values.begin(), values.end());
    return median_of(copy);
}

// Steps of this size are between all runs.
bool is_usual(std::span<const double> values, double jump) {
    constexpr double times = 3;
    if (values.size() < 2 * needed) return false; // too few to tell
    std::vector<double> steps;
    steps.reserve(values.size() - 1);
    for (std::size_t i = 1; i < values.size(); ++i)
        steps.push_back(std::abs(values[i] - values[i - 1]));
    return jump < times * median_of(steps);
}

// The largest step from one value to the next that is not the begin of a change; 0: there is none to be seen.
std::size_t largest_jump(std::span<const double> values, std::span<const ChangePoint> changes) {
    double most = 0, largest = 0;
    for (const double v : values)
        most = std::max(most, std::abs(v));
    std::size_t place = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        const double jump = std::abs(values[i] - values[i - 1]);
        const bool is_told =
            std::ranges::any_of(changes, [i](const ChangePoint &c) { return i + 1 >= c.at && i <= c.at + 1; });
        if (is_told || jump < visible * most || jump <= largest) continue;
        largest = jump;
        place = i;
    }
    return place;
}

} // namespace

std::optional<UnseenJump> unseen_jump(std::span<const double> values, std::span<const ChangePoint> changes) {
    const std::size_t at = largest_jump(values, changes);
    if (at == 0) return std::nullopt;
    const Stretch stretch = stretch_of(at, changes, values.size());
    UnseenJump jump;
    jump.at = at;
    jump.runs_before = at - stretch.begin;
    jump.runs_after = stretch.end - at;
    const bool usual = is_usual(values, std::abs(values[at] - values[at - 1]));
    if (!usual && jump.runs_after < needed && stretch.end == values.size()) {
        jump.why = UnseenJump::Why::few_after;
        return jump;
    }
    if (!usual && jump.runs_before < needed && stretch.begin == 0) {
        jump.why = UnseenJump::Why::few_before;
        return jump;
    }
    const double before = median_in(values.subspan(at - std::min(at, needed), std::min(at, needed)));
    const double after = median_in(values.subspan(at, std::min(needed, values.size() - at)));
    if (!usual && std::abs(after - before) < 0.5 * std::abs(values[at] - values[at - 1])) {
        jump.why = UnseenJump::Why::came_back;
        return jump;
    }
    const double least = least_change_told(values, jump.runs_before, jump.runs_after);
    const double change = std::abs(median_in(values.subspan(at, jump.runs_after)) -
                                   median_in(values.subspan(stretch.begin, jump.runs_before)));
    jump.least_told = change < least ? least : unknown;
    return jump;
}

std::string in_words(const HistoryView &view, const HistoryJump &jump) {
    const RunRecord &run = view.runs[jump.run];
    std::string text =
        fmt::format("{} {} from {:.4g} to {:.4g} with {}, but this does not count as a change: ", jump.figure,
                    jump.after > jump.before ? "rises" : "falls", jump.before, jump.after, run_in_words(run));
    switch (jump.is.why) {
    case UnseenJump::Why::few_after:
        return text + fmt::format("there {} only {} since then, and three are needed.",
                                  jump.is.runs_after == 1 ? "is" : "are", counted(jump.is.runs_after, "run"));
    case UnseenJump::Why::few_before:
        return text + fmt::format("there {} only {} before it, and three are needed.",
                                  jump.is.runs_before == 1 ? "is" : "are", counted(jump.is.runs_before, "run"));
    case UnseenJump::Why::came_back:
        return text + "the runs after it are as before, and a change needs three runs in a row.";
    case UnseenJump::Why::spread:
        break;
    }
    if (!is_known(jump.is.least_told)) return text + "the runs around it differ from each other, too.";
    return text +
           fmt::format("runs that follow each other differ, too, and with so many runs only a change of {:.3g} or "
                       "more can be told from chance.",
                       jump.is.least_told);
}

} // namespace cpl_lb
