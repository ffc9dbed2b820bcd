// The points of whole cycles, when each was come to and left in two replays.
#include "tools/predict/what_if.hpp"

#include "analysis/exchanges.hpp"
#include "prediction/stretch_points.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::size_t most_points = 2000;

// One of the two.
class Line {
public:
    Line(const MeasuredGraph &of, std::vector<double> factors, std::size_t origin)
        : graph_(*of.graph), factors_(std::move(factors)), leave_s_(of.replay(factors_).leave_s),
          origin_s_(leave_s_[origin]) {}

    [[nodiscard]] double left_s(std::size_t at) const { return leave_s_[at] - origin_s_; }
    // Where a component's first point is come to is not replayed: nothing waits there.
    [[nodiscard]] double come_s(std::size_t at) const {
        if (graph_.is_first(at)) return left_s(at);
        return left_s(at - 1) + graph_.computing_before(at) * factors_[graph_.component_of(at)];
    }

private:
    const CouplingGraph &graph_;
    std::vector<double> factors_;
    std::vector<double> leave_s_;
    double origin_s_;
};

// "PUT SST to ocean".
std::string words_of(const CoupledRun &run, const Component &component, std::uint32_t event) {
    if (event == gave_way) return "in another component";
    const EventClass &what = component.table.keys.what(event);
    const std::string &partner = run.component_name(what.counterpart);
    return std::string(name_of(what.kind)) + " " + field_name(run, what.field) +
           (partner.empty() ? "" : (what.kind == Kind::put ? " to " : " from ") + partner);
}

} // namespace

JsonTree replayed_timeline(const CoupledRun &run, const MeasuredGraph &measured, const MeasuredGraph &changed,
                           const std::vector<double> &factors) {
    const std::vector<std::size_t> &cuts = measured.cycle.cuts;
    if (cuts.size() < 2) return {};
    const CouplingGraph &graph = *measured.graph;
    const std::size_t all = cuts.size() - 1;
    const std::size_t cycles = std::clamp<std::size_t>(all * most_points / graph.points(), 1, all);
    const Line before(measured, std::vector<double>(factors.size(), 1.0), cuts.front());
    const Line after(changed, factors, cuts.front());
    const double end_s = before.left_s(cuts[cycles]);
    JsonTree json = {{"cycles", cycles},
                     {"measured_s", end_s},
                     {"changed_s", after.left_s(cuts[cycles])},
                     {"components", JsonTree::array()}};
    for (std::size_t c = 0; c < graph.components(); ++c) {
        JsonTree what = JsonTree::array();
        std::vector<double> come, left, changed_come, changed_left;
        for (std::size_t at = graph.flat({c, 0}); at + 1 < graph.flat({c + 1, 0}); ++at) {
            if (before.left_s(at) < 0 || before.left_s(at) > end_s) continue;
            what.push_back(words_of(run, run.components[c], changed.events[at]));
            come.push_back(before.come_s(at));
            left.push_back(before.left_s(at));
            changed_come.push_back(after.come_s(at));
            changed_left.push_back(after.left_s(at));
        }
        json["components"].push_back({{"name", graph.names()[c]},
                                      {"what", std::move(what)},
                                      {"measured_come_s", come},
                                      {"measured_left_s", left},
                                      {"come_s", changed_come},
                                      {"left_s", changed_left}});
    }
    return json;
}

} // namespace cpl_lb
