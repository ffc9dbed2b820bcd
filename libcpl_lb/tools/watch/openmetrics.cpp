// Writes gauges in OpenMetrics' text format 1.0, which is valid in Prometheus' older one, too.
#include "tools/watch/openmetrics.hpp"

#include "analysis/waiting_share.hpp"
#include "report/format.hpp"
#include "support/fmt.hpp"

#include <cmath>
#include <functional>

namespace cpl_lb {
namespace {

// The format knows three escapes.
std::string label_value(const std::string &text) {
    std::string out;
    for (const char c : safe_name(text)) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

class Gauges {
public:
    explicit Gauges(const CoupledRun &run) : run_(run), run_label_("run=\"" + label_value(run.run.id) + "\"") {}

    void of_run(const std::string &name, const std::string &help, double value) {
        if (std::isfinite(value)) text_ += head(name, help) + line(name, "", value);
    }
    void of_components(const std::string &name, const std::string &help,
                       const std::function<double(const Component &)> &value) {
        std::string lines;
        for (const Component &c : run_.components) {
            const double v = value(c);
            if (std::isfinite(v)) lines += line(name, ",component=\"" + label_value(c.name) + "\"", v);
        }
        if (!lines.empty()) text_ += head(name, help) + lines;
    }
    [[nodiscard]] std::string text() const { return text_ + "# EOF\n"; }

private:
    static std::string head(const std::string &name, const std::string &help) {
        return fmt::format("# TYPE cpl_lb_{} gauge\n# HELP cpl_lb_{} {}\n", name, name, help);
    }
    [[nodiscard]] std::string line(const std::string &name, const std::string &labels, double value) const {
        return fmt::format("cpl_lb_{}{{{}{}}} {}\n", name, run_label_, labels, value);
    }

    const CoupledRun &run_;
    std::string run_label_, text_;
};

double share_of_loop(const Component &c, double seconds) {
    return has_loop(c) ? seconds / c.balance.loop_s : unknown;
}

} // namespace

std::string openmetrics_text(const CoupledRun &run, const RunProgress &progress, double quiet_s) {
    Gauges g(run);
    g.of_run("processes", "Processes of the run that are seen.", static_cast<double>(run.run.processes));
    g.of_run("wall_seconds", "Wall clock time of the run so far.", run.run.wall_s);
    g.of_run("simulated_seconds", "Simulated time so far, of the component that is behind.", progress.simulated_s);
    g.of_run("planned_seconds", "Simulated time that is planned.", progress.planned_s);
    g.of_run("sypd", "Simulated years per day, of the component that is behind.", progress.sypd);
    g.of_run("left_seconds", "Wall clock time that is left at this speed.", progress.left_s);
    g.of_run("silent_seconds", "Since the last event; 0 while events come as usual.",
             is_known(progress.silent_s) ? progress.silent_s
             : is_known(quiet_s)         ? 0
                                         : unknown);
    g.of_run("waiting_ratio", "Waiting, of the core time in the coupling loops.", run.balance.waiting_share);
    g.of_run("gain_seconds", "What another split of the same cores could save of the loop so far.",
             run.balance.gain_s);
    g.of_components("component_waiting_ratio", "Waiting, of the component's coupling loop; an I/O server's is idle.",
                    [](const Component &c) { return share_of_loop(c, c.balance.waiting_s); });
    g.of_components("component_imbalance_ratio", "Imbalance, of the component's coupling loop.",
                    [](const Component &c) { return share_of_loop(c, c.balance.imbalance_s); });
    g.of_components("component_step_seconds", "Mean length of a coupling step.", [](const Component &c) {
        return has_loop(c) && c.balance.step_count > 0 ? c.balance.loop_s / static_cast<double>(c.balance.step_count)
                                                       : unknown;
    });
    g.of_components("component_critical_ratio", "Share of the critical path.",
                    [](const Component &c) { return c.balance.critical_share; });
    return g.text();
}

} // namespace cpl_lb
