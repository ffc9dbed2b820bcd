// Tables of the text file that the layout of the paper does not have.
#include "report/text_sections.hpp"

#include "analysis/cpmip.hpp"
#include "report/format.hpp"
#include "report/verdict_parts.hpp"
#include "report/words.hpp"
#include "support/counted.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// "{s}" in the title is the unit of the times.
std::string section(std::string title, const SectionText &body) {
    if (const std::size_t at = title.find("{s}"); at != std::string::npos) title.replace(at, 3, body.unit);
    return body.text.empty() ? "" : "\n" + title + "\n" + rule + body.text;
}

bool waits_in_sync(const CoupledRun &run) {
    return std::ranges::any_of(run.components, [](const Component &c) {
        const std::vector<WaitingFor> &list = c.balance.waiting_for;
        return std::ranges::any_of(list, [](const WaitingFor &w) { return w.sync_s > 0; });
    });
}

SectionText who_waits_for_whom(const CoupledRun &run) {
    TextTable table({1});
    const bool sync = waits_in_sync(run);
    const auto row = [&](RowOfCells cells, const Cell &in_sync, const std::string &last) {
        if (sync) cells.push_back(in_sync);
        cells.push_back(last);
        table.row(cells);
    };
    row({"Component", "waits for", "in GET", "in PUT"}, "in SYNC", "% of its loop");
    for (const Component &component : run.components) {
        for (const WaitingFor &part : component.balance.waiting_for) {
            row({table_name(component), awaited_text(run, component.balance, part.component, table_name_columns),
                 InSeconds{std::max(part.get_s - part.sync_s, 0.0)}, InSeconds{part.put_s}},
                InSeconds{part.sync_s}, per_cent_text((part.get_s + part.put_s) / component.balance.loop_s));
        }
    }
    if (!table.empty()) return table;
    return {run.from_timers() ? "n/a: the timers do not tell who waits for whom\n"
                              : "n/a: no component exchanged a coupling field in a coupling loop\n"};
}

// These tables have two lengths of a run's loop: says which is which.
std::string common_loop_words(const CoupledRun &run) {
    const bool servers =
        std::ranges::any_of(run.components, [](const Component &c) { return c.balance.is_io_server; });
    return wrapped("The common loop is what the components' own coupling loops (next table) have in common" +
                       std::string(servers ? ", without I/O servers" : "") +
                       ": the verdict and cpl-lb predict are about it.",
                   80);
}

// Which components decide how long the loop takes, and what another split of the same cores could do.
SectionText critical_path(const CoupledRun &run) {
    const RunBalance &b = run.balance;
    if (!b.why_no_path.empty()) return {"n/a: " + safe_name(b.why_no_path) + "\n"};
    if (!is_known(b.loop_s)) return {};
    TextTable table = titled({"Component", "on the path", "% of the loop", "cores", "best split"});
    for (std::size_t c = 0; c < run.components.size(); ++c) {
        const Component &component = run.components[c];
        if (!is_known(component.balance.critical_share)) continue;
        const bool splits = c < b.best_cores.size() && b.best_cores[c] > 0;
        table.row({table_name(component), InSeconds{component.balance.critical_share * b.loop_s},
                   per_cent_text(component.balance.critical_share), count_text(component.cores()),
                   splits ? count_text(b.best_cores[c]) : "n/a"});
    }
    if (run.from_timers()) table.keep_told();
    SectionText section(table.text(text_columns));
    section.unit = table.unit();
    std::string &text = section.text;
    if (run.from_timers()) {
        text += wrapped(
            "By the rules of the model's layout, " + safe_name(run.run.layout) + ", not by what happened when.", 80);
        return section;
    }
    text += wrapped("Common loop: " + number_text(b.loop_s) + " s, by the model with the best split " +
                        number_text(b.best_s) + " s (if all scale perfectly).",
                    text_columns) +
            common_loop_words(run);
    if (b.examined < 1)
        text += "Followed in " + per_cent_text(b.examined) + " % of the loop, in evenly spread pieces\n";
    if (!b.why_no_gain.empty()) text += "No best split: " + safe_name(b.why_no_gain) + "\n";
    return section;
}

SectionText loops(const CoupledRun &run) {
    TextTable table =
        titled({"Component", "procs", "cores", "loop", "computing", "waiting", "away", "jitter", "imbalance"});
    for (const Component &c : run.components) {
        table.row({table_name(c), processes_text(c), c.ranks.empty() ? "n/a" : count_text(c.cores()),
                   InSeconds{c.balance.loop_s}, InSeconds{c.balance.computing_s}, waiting_cell(c.balance),
                   InSeconds{c.balance.away_s}, InSeconds{c.balance.jitter_s}, InSeconds{c.balance.imbalance_s}});
    }
    if (run.from_timers()) table.keep_told();
    return table;
}

// The component's figure beside those of its processes, and what each of them is.
SectionText waiting_of_processes(const CoupledRun &run) {
    if (run.from_timers()) return {};
    TextTable table = titled({"Component", "waiting", "mean", "least", "most", "processes"});
    for (const Component &c : run.components) {
        if (!is_known(c.balance.loop_s)) continue;
        const Spread &own = c.balance.process_waiting_s;
        table.row({table_name(c), waiting_cell(c.balance), InSeconds{own.mean()}, InSeconds{own.min},
                   InSeconds{own.max}, own.count > 0 ? count_text(own.count) : "n/a"});
    }
    return {table, wrapped("Waiting: from the arrival of its last process at an exchange until the last one "
                           "leaves it, so it may exceed what any process waited. Mean, least, most: what each "
                           "process itself waited, from its own arrival until it leaves, also for late "
                           "processes of its own component.",
                           80)};
}

// Processes that were ready and had to wait for the machine. No table unless the kernel counts it.
SectionText without_processor(const CoupledRun &run) {
    TextTable table = titled({"Component", "min", "mean", "max", "% of the loop", "process with the most"});
    for (const Component &c : run.components) {
        const Spread &s = c.no_processor.of_processes;
        if (s.count == 0) continue;
        table.row({table_name(c), InSeconds{s.min}, InSeconds{s.mean()}, InSeconds{s.max},
                   per_cent_text(s.max / c.balance.loop_s), count_text(c.no_processor.most)});
    }
    return table;
}

SectionText phases(const CoupledRun &run) {
    TextTable table = titled({"Component", "phase", "length", "waiting", "output", "restart", "set-up"}, {1});
    const auto same = [&](const Component &c) {
        const Component &first = run.components.front();
        return c.balance.startup.length_s == first.balance.startup.length_s &&
               c.balance.shutdown.length_s == first.balance.shutdown.length_s;
    };
    // Most timers give start-up and shut-down of the run, not of each component.
    const bool once = run.from_timers() && run.components.size() > 1 && std::ranges::all_of(run.components, same);
    for (const Component &c : run.components) {
        if (once && &c != &run.components.front()) break;
        const auto row = [&](const char *name, const Phase &phase) {
            if (run.from_timers() && !is_known(phase.length_s)) return;
            table.row({once ? "(all)" : table_name(c), name, InSeconds{phase.length_s}, InSeconds{phase.waiting_s},
                       InSeconds{phase.output_s}, InSeconds{phase.restart_s}, InSeconds{phase.setup_s}});
        };
        row("start-up", c.balance.startup);
        row("shut-down", c.balance.shutdown);
    }
    if (run.from_timers()) table.keep_told();
    return {table, long_run_lines(run)};
}

SectionText step_statistics(const CoupledRun &run) {
    TextTable table = titled({"Component", "steps", "each", "min", "median", "max"}, {2});
    for (const Component &c : run.components) {
        if (c.balance.steps.empty()) continue;
        const auto row = [&](const char *name, const StepRange &spread) {
            table.row({table_name(c), count_text(c.balance.step_count), name, InSeconds{spread.min_s},
                       InSeconds{spread.median_s}, InSeconds{spread.max_s}});
        };
        row("computing", c.balance.step_spread.computing);
        row(c.balance.is_io_server ? "idle" : "waiting", c.balance.step_spread.waiting);
        row("jitter", c.balance.step_spread.jitter);
    }
    return table;
}

SectionText region_table(const CoupledRun &run) {
    TextTable table = titled({"Component", "region", "calls", "processes", "min", "mean", "max", "imbalance %"}, {1});
    for (const Component &c : run.components) {
        for (const RegionSummary &region : c.regions) {
            const auto told = [](std::int64_t count) { return count > 0 ? count_text(count) : std::string("n/a"); };
            // The timers of one process do not tell how much slower others are.
            const bool one = run.from_timers() && region.processes == 1;
            table.row({table_name(c), short_name(region.name, table_name_columns), told(region.calls),
                       told(region.processes), InSeconds{one ? unknown : region.min_s}, InSeconds{region.mean_s},
                       InSeconds{one ? unknown : region.max_s}, per_cent_text(one ? unknown : region.imbalance())});
        }
    }
    if (run.from_timers()) table.keep_told();
    return table;
}

// "ocean 4 processes x 2 threads on 2 nodes": how the components stand on the machine, if that is known.
std::string where_they_stand(const CoupledRun &run) {
    std::string text;
    for (const Component &c : run.components) {
        if (c.nodes == 0) continue;
        const auto processes = static_cast<std::int64_t>(c.ranks.size());
        const std::string threads = c.most_threads > c.threads
                                        ? count_text(c.threads) + " to " + counted(c.most_threads, "thread")
                                        : counted(c.threads, "thread");
        text += (text.empty() ? "Layout: " : "        ") + table_name(c) + ": " +
                counted(processes, "process", "processes") + " x " + threads + " on " + counted(c.nodes, "node") +
                ", " + counted(c.cores(), "core") + "\n";
    }
    return text;
}

// The clocks of timers are never compared, because timers are sums.
std::string clock_line(const CoupledRun &run) {
    if (run.from_timers()) return "";
    return "Clock: error at most " + number_text(1e6 * run.clock.error_bound_s) + " us over " +
           counted(run.clock.nodes, "node") + (run.clock.source.empty() ? "" : ", " + safe_name(run.clock.source)) +
           "; order violations: " +
           (run.clock.order_violations < 0 ? "n/a" : count_text(run.clock.order_violations)) + "\n";
}

std::string about_the_run(const CoupledRun &run) {
    const RunInfo &info = run.run;
    std::string text = "Run " + safe_name(info.id) + ": " + counted(info.processes, "process", "processes") + ", " +
                       (info.cores > 0 ? counted(info.cores, "core") : "n/a cores");
    text += info.cores_from.empty() ? "\n" : " (" + safe_name(info.cores_from) + ")\n";
    text += where_they_stand(run);
    text += "Simulated time (s): " + number_text(info.simulated_s) + ", " + number_text(info.year_days) +
            " days in a year\n";
    const auto time = [&](const char *label, const std::string &value) {
        const bool local = run.from_timers() && !value.ends_with('Z'); // local time of the machine
        if (!value.empty()) text += label + safe_name(value) + (local ? " (the machine's local time)\n" : "\n");
    };
    time("Submitted: ", info.submitted);
    time("Started: ", info.started);
    time("Ended: ", info.ended);
    const auto assigned = static_cast<std::int64_t>(component_cores(run));
    if (info.cores > assigned) text += "Unassigned cores: " + count_text(info.cores - assigned) + "\n";
    text += clock_line(run);
    for (const Component &c : run.components)
        if (c.dropped_events > 0)
            text += "Dropped events of " + table_name(c) + ": " + count_text(c.dropped_events) + "\n";
    return text;
}

std::string remarks(const CoupledRun &run) {
    std::string text;
    for (const std::string &remark : run.remarks)
        text += safe_name(remark) + "\n";
    return text;
}

} // namespace

std::string table_name(const Component &component) {
    return short_name(component.name, table_name_columns);
}

std::string further_sections(const CoupledRun &run) {
    return section("CPMIP metrics (Balaji et al. 2017)", cpmip_text(run)) +
           section("Who waits for whom ({s})", who_waits_for_whom(run)) +
           section("Critical path ({s})", critical_path(run)) +
           section("Computing that changes ({s})", change_table(run)) + section("Coupling loop ({s})", loops(run)) +
           section("Waiting in the coupling loop ({s})", waiting_of_processes(run)) +
           section("Why processes of a component come at different times ({s})", imbalance_section(run)) +
           section("Where every core hour goes (%)", efficiency_table(run)) +
           section("Useful time, and time in MPI ({s} of one process)", mpi_table(run)) +
           section("Messages between the processes of a component (point to point, in the run)", traffic_table(run)) +
           section("Messages of fields (sent, in the run)", field_traffic_table(run)) +
           section("Ready, but without a processor in the coupling loop ({s} of one process)",
                   without_processor(run)) +
           section("Start-up and shut-down ({s})", phases(run)) +
           section("Coupling steps ({s})", step_statistics(run)) +
           section("Regions ({s} on one process)", region_table(run)) +
           section("Counters, energy, memory and messages of regions (of one process, energy of one node)",
                   region_meter_table(run)) +
           section("What expressions say of regions (all calls of one process)", annotation_table(run)) +
           section("Control flow of annotated regions", control_flow_table(run)) +
           section("Counters in the coupling loop (of one process)", loop_counter_table(run)) +
           section("What the components run on", hardware_table(run)) +
           section("Memory (MiB of one process)", memory_table(run)) + section("Energy (J)", energy_table(run)) +
           section("GPUs", gpu_sentences(run)) + section("Other meters", other_meter_table(run)) +
           section("Meters", about_the_meters(run)) + section("Which timer told each figure", source_table(run)) +
           section("About the run", about_the_run(run)) + section("Remarks", remarks(run));
}

} // namespace cpl_lb
