// Coefficients of loops: takes the regions of runs as loops, with the threads with which they ran, and
// puts out what is fitted, with how well it is known; and jobs in a queue.
#include "projection/tools/project/project_output.hpp"

#include "io/json/json_tree.hpp"
#include "projection/models/loop_model.hpp"
#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/csv_cells.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace cpl_lb {
namespace {

std::string why_no_work(const MeasuredLoop &loop) {
    return fmt::format(
        "neither operations nor bytes are known in its {}: set cn_counters, or call cpl_lb_assert_expression",
        counted(loop.runs.size(), "run"));
}

using Json = JsonTree;

std::string cell_or_empty(double value) {
    return is_known(value) ? fmt::format("{:.6g}", value) : "";
}

// The largest of what is known, in absolute value.
double worst(const std::vector<double> &errors) {
    double most = unknown;
    for (const double e : errors)
        if (is_known(e) && !(std::abs(e) <= most)) most = std::abs(e);
    return most;
}

bool has_check(const FittedLoop &loop) {
    return std::ranges::any_of(loop.fit.left_out_error, is_known);
}

bool knows_bytes(const FittedLoop &loop) {
    return std::ranges::any_of(loop.runs, is_known, &LoopRun::moved_B);
}

// V, X, Y, Z of a loop whose bytes nobody knows are n/a, not 0.
std::array<double, 5> values_of(const FittedLoop &loop, const LoopCoefficients &c) {
    if (!loop.has_any()) return {unknown, unknown, unknown, unknown, unknown};
    if (!knows_bytes(loop)) return {c.u, unknown, unknown, unknown, unknown};
    return {c.u, c.v, c.x, c.y, c.z};
}

void add_cells(std::vector<std::string> &cells, const std::array<double, 5> &values) {
    for (const double value : values)
        cells.push_back(digits_text(value, 4));
}

std::string coefficients_text(const std::vector<FittedLoop> &loops) {
    TextTable table;
    table.row({"loop", "runs", "U", "V (L1)", "X (L2)", "Y (L3)", "Z (DRAM)", "worst error [%]", "left out [%]"});
    for (const FittedLoop &l : loops) {
        std::vector<std::string> cells = {short_name(l.name, 34),
                                          count_text(static_cast<std::int64_t>(l.runs.size()))};
        add_cells(cells, values_of(l, l.fit.coefficients));
        cells.push_back(per_cent_text(worst(l.fit.error)));
        cells.push_back(per_cent_text(worst(l.fit.left_out_error)));
        table.row_of_words(cells);
    }
    return table.text();
}

std::string intervals_text(const std::vector<FittedLoop> &loops) {
    TextTable table;
    table.row({"loop", "+- of U", "of V", "of X", "of Y", "of Z"});
    for (const FittedLoop &l : loops) {
        std::vector<std::string> cells = {short_name(l.name, 34)};
        add_cells(cells, values_of(l, l.fit.half_width));
        table.row_of_words(cells);
    }
    return table.text() + "\n+-: the 95 % interval (Student's t), from the scatter around the fit. It is n/a if "
                          "there are as many runs "
                          "as\ncoefficients, and for a coefficient that is 0 because none may be negative.\n";
}

std::string loop_names(const std::vector<FittedLoop> &loops, bool (*is_meant)(const FittedLoop &)) {
    std::string names;
    for (const FittedLoop &l : loops)
        if (is_meant(l)) names += (names.empty() ? "" : ", ") + safe_name(l.name);
    return names;
}

} // namespace

LoopsOfRuns loops_of_runs(const std::vector<std::string> &sources, const CoresAtWork &said, double clock_Hz) {
    LoopsOfRuns all;
    for (const std::string &source : sources) {
        const RunWork work = work_in(run_of(source), said, WorkFor::models);
        for (const RegionWork &region : work.regions) {
            if (!(region.seconds > 0)) continue;
            MeasuredLoop &loop = loop_named(all.loops, region.name);
            if (loop.why_not.empty()) loop.why_not = region.why_not;
            loop.runs.push_back({{work.threads, clock_Hz}, region.flops, region.bytes, region.seconds});
        }
        all.remarks.push_back(source + ": " + (work.remark.empty() ? counted(work.threads, "core") : work.remark));
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

std::string fit_as_text(const std::string &machine, const std::vector<FittedLoop> &loops,
                        const std::vector<std::string> &remarks) {
    std::string text =
        fmt::format("Coefficients on {}\n\n", safe_name(machine)) + coefficients_text(loops) +
        "\nWorst error: the largest error of a run's time with these coefficients. Left out: the same for each "
        "run\n"
        "if the coefficients are fitted to the other runs only; expect this error of a projection.\n\n" +
        intervals_text(loops);
    const std::string unchecked = loop_names(loops, [](const FittedLoop &l) { return l.has_any() && !has_check(l); });
    if (!unchecked.empty())
        text += wrapped(
            "Not checked: " + unchecked + ", with as many runs as coefficients. One more run gives a check.", 100);
    for (const FittedLoop &l : loops) {
        if (l.why_not.empty()) continue;
        text += "\n" + wrapped(safe_name(l.name) + ": " + safe_name(l.why_not) + ".", 100);
    }
    if (!remarks.empty()) text += "\nRuns\n";
    for (const std::string &remark : remarks)
        text += wrapped("- " + safe_name(remark), 100);
    if (!remarks.empty()) {
        text +=
            wrapped("Regions inside other regions count the same work twice, and a coupling loop holds all work of "
                    "its component: keep only one of such rows in a table for cpl-lb machine project.",
                    100);
    }
    return text;
}

std::string fit_as_json(const std::string &machine, const std::vector<FittedLoop> &loops,
                        const std::vector<std::string> &remarks) {
    Json root = {{"machine", machine}, {"remarks", remarks}};
    constexpr const char *names[] = {"U", "V", "X", "Y", "Z"};
    for (const FittedLoop &l : loops) {
        Json one = {{"loop", l.name}, {"checked", has_check(l)}, {"why_not", Json::text(l.why_not)}};
        const std::array<double, 5> values = values_of(l, l.fit.coefficients), half = values_of(l, l.fit.half_width);
        for (std::size_t c = 0; c < values.size(); ++c) {
            one[names[c]] = values[c];
            one["half_width_95"][names[c]] = half[c];
        }
        for (std::size_t r = 0; r < l.runs.size(); ++r) {
            one["runs"].push_back({{"threads", l.runs[r].at.threads},
                                   {"clock_Hz", l.runs[r].at.clock_Hz},
                                   {"seconds", l.runs[r].seconds},
                                   {"flops", l.runs[r].flop},
                                   {"bytes", l.runs[r].moved_B},
                                   {"error", l.has_any() ? l.fit.error[r] : unknown},
                                   {"left_out_error", l.has_any() ? l.fit.left_out_error[r] : unknown}});
        }
        root["loops"].push_back(std::move(one));
    }
    return root.dump(2) + "\n";
}

std::string fit_as_csv(const std::vector<FittedLoop> &loops) {
    std::string text = "loop,flops,bytes,U,V,X,Y,Z\n";
    for (const FittedLoop &l : loops) {
        if (!l.has_any()) continue;
        const LoopCoefficients &c = l.fit.coefficients;
        text += fmt::format("{},{},{},{},{},{},{},{}\n", quoted_csv_cell(l.name), cell_or_empty(l.runs.front().flop),
                            cell_or_empty(l.runs.front().moved_B), cell_or_empty(c.u), cell_or_empty(c.v),
                            cell_or_empty(c.x), cell_or_empty(c.y), cell_or_empty(c.z));
    }
    return text;
}

std::string queue_as_text(const std::vector<QueuedJob> &jobs, const MachineRoom &room, const RoomSchedule &schedule) {
    std::vector<std::size_t> order(jobs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t job) { return schedule.jobs[job].start_s; });
    TextTable table({6});
    table.row({"job", "nodes", "submitted [s]", "start [s]", "end [s]", "wait [s]", ""});
    for (const std::size_t j : order) {
        const QueuedJob &job = jobs[j];
        const JobStart &start = schedule.jobs[j];
        table.row({short_name(job.name, 30), count_text(job.nodes), Decimal{job.submitted_s}, Decimal{start.start_s},
                   Decimal{start.start_s + job.seconds}, Decimal{start.start_s - job.submitted_s},
                   start.backfilled ? "went ahead" : ""});
    }
    return table.text() +
           fmt::format("\nAll done {} s after the first submission. Wait: {} s on average, {} s at most.\n"
                       "The {} in use {} % of the time. Energy: jobs {} J, waiting nodes {} J.\n",
                       number_text(schedule.last_s - schedule.first_s), number_text(schedule.mean_wait_s),
                       number_text(schedule.longest_wait_s), counted(room.nodes, "node is", "nodes are"),
                       per_cent_text(schedule.use), number_text(schedule.job_J), number_text(schedule.idle_J));
}

std::string queue_as_json(const std::vector<QueuedJob> &jobs, const MachineRoom &room, const RoomSchedule &schedule) {
    JsonTree root = {{"nodes", room.nodes},
                     {"seconds", schedule.last_s - schedule.first_s},
                     {"mean_wait_s", schedule.mean_wait_s},
                     {"longest_wait_s", schedule.longest_wait_s},
                     {"use", schedule.use},
                     {"job_J", schedule.job_J},
                     {"idle_J", schedule.idle_J},
                     {"joules", schedule.job_J + schedule.idle_J}};
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        root["jobs"].push_back({{"job", jobs[j].name},
                                {"nodes", jobs[j].nodes},
                                {"submitted_s", jobs[j].submitted_s},
                                {"start_s", schedule.jobs[j].start_s},
                                {"end_s", schedule.jobs[j].start_s + jobs[j].seconds},
                                {"backfilled", schedule.jobs[j].backfilled}});
    }
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
