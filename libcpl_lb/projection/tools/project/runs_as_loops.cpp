// Takes the regions of runs as loops, with the threads and the clock at which they ran.
#include "projection/models/loop_model.hpp"
#include "projection/tools/project/project_output.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cmath>

namespace cpl_lb {
namespace {

constexpr double same_clock = 0.05; // as a share: counted clocks differ from nominal ones

std::vector<double> clocks_of(const Machine &machine) {
    std::vector<double> clocks;
    for (const FlopRate &row : machine.flop_rates)
        clocks.push_back(row.at.clock_Hz);
    for (const LevelBandwidth &row : machine.bandwidths)
        clocks.push_back(row.at.clock_Hz);
    std::erase_if(clocks, [](double clock) { return !std::isfinite(clock); }); // none, or turbo
    return clocks;
}

// The clock of the machine's rows that is meant by what a counter says; NaN: none is.
double clock_meant(double counted_Hz, const std::vector<double> &clocks) {
    double meant = unknown;
    for (const double clock : clocks) {
        const double off = std::abs(counted_Hz - clock);
        if (off < same_clock * clock && !(std::abs(meant - counted_Hz) <= off)) meant = clock;
    }
    return meant;
}

MeasuredLoop &loop_named(std::vector<MeasuredLoop> &loops, const std::string &name) {
    auto found = std::ranges::find(loops, name, &MeasuredLoop::name);
    if (found == loops.end()) found = loops.insert(loops.end(), {name, {}});
    return *found;
}

// The highest that a counter of one of the regions saw: in the others threads may have slept.
double counted_clock(const RunWork &work) {
    double most = unknown;
    for (const RegionWork &region : work.regions)
        if (std::isfinite(region.clock_Hz) && !(region.clock_Hz <= most)) most = region.clock_Hz;
    return most;
}

std::string clock_words(double counted_Hz, double meant_Hz, const std::vector<double> &clocks) {
    if (clocks.empty()) return "";
    if (!is_known(counted_Hz)) return "; clock as --clock says (PAPI_TOT_CYC in cn_counters would tell it)";
    if (!is_known(meant_Hz))
        return fmt::format("; {:.3g} GHz counted, and the machine's file has no such clock: as --clock says",
                           counted_Hz * 1e-9);
    return fmt::format("; {:.3g} GHz counted: {:g} GHz of the machine's file", counted_Hz * 1e-9, meant_Hz * 1e-9);
}

std::string why_no_work(const MeasuredLoop &loop) {
    return fmt::format(
        "neither operations nor bytes are known in its {}: set cn_counters, or call cpl_lb_assert_expression",
        counted(loop.runs.size(), "run"));
}

} // namespace

LoopsOfRuns loops_of_runs(const std::vector<std::string> &sources, const Machine &machine, const CoresAtWork &said,
                          double clock_Hz) {
    LoopsOfRuns all;
    const std::vector<double> clocks = clocks_of(machine);
    for (const std::string &source : sources) {
        const RunWork work = work_of_code(json_of_run(source), said);
        const double counted_Hz = counted_clock(work), meant_Hz = clock_meant(counted_Hz, clocks);
        const MachineSetting at{work.threads, is_known(meant_Hz) ? meant_Hz : clock_Hz};
        for (const RegionWork &region : work.regions) {
            if (!(region.seconds > 0)) continue;
            MeasuredLoop &loop = loop_named(all.loops, region.name);
            if (loop.why_not.empty()) loop.why_not = region.why_not;
            loop.runs.push_back({at, region.flops, region.bytes, region.seconds});
        }
        all.remarks.push_back(source + ": " + (work.remark.empty() ? counted(work.threads, "core") : work.remark) +
                              clock_words(counted_Hz, meant_Hz, clocks));
    }
    return all;
}

FittedLoop fit_what_is_known(const MeasuredLoop &loop, const Machine &machine) {
    FittedLoop fitted{loop.name, loop.runs, {}, ""};
    std::erase_if(fitted.runs, [](const LoopRun &r) { return !is_known(r.flop) && !is_known(r.moved_B); });
    const std::size_t left_out = loop.runs.size() - fitted.runs.size();
    if (fitted.runs.empty()) {
        fitted.why_not = loop.why_not.empty() ? why_no_work(loop) : loop.why_not;
        return fitted;
    }
    const auto try_to_fit = [&] {
        try {
            fitted.fit = fit_loop(loop.name, fitted.runs, machine);
            return true;
        } catch (const ProjectionError &error) {
            std::string why = error.what();
            if (const std::string name = "loop " + loop.name + ": "; why.starts_with(name)) why.erase(0, name.size());
            fitted.why_not += (fitted.why_not.empty() ? "" : "; ") + why;
            return false;
        }
    };
    if (!try_to_fit()) { // what computes may be known all the same
        std::vector<LoopRun> computing = fitted.runs;
        std::erase_if(computing, [](const LoopRun &r) { return !is_known(r.flop); });
        for (LoopRun &run : computing)
            run.moved_B = unknown;
        if (!computing.empty()) std::swap(fitted.runs, computing);
        if (computing.empty() || !try_to_fit()) fitted.fit = {};
    }
    if (left_out > 0)
        fitted.why_not += (fitted.why_not.empty() ? "" : "; ") +
                          fmt::format("{} without operations and bytes left out", counted(left_out, "run"));
    return fitted;
}

} // namespace cpl_lb
