// The verdict, then the summary in the layout of the paper, then the other sections; and the short form of it.
#include "report/text_summary.hpp"

#include "analysis/cpmip.hpp"
#include "analysis/members.hpp"
#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "report/verdict_parts.hpp"
#include "report/words.hpp"
#include "support/counted.hpp"

#include <algorithm>
#include <cpl_lb/version.h>
#include <functional>
#include <numeric>
#include <utility>

namespace cpl_lb {
namespace {

std::string line(const std::string &label, double value) {
    return label + " : " + number_text(value) + "\n";
}

std::string verdict(const CoupledRun &run) {
    std::string text;
    for (const std::string &sentence : plain_words(run))
        text += wrapped(sentence, 80);
    return text + "\n";
}

std::string speed_and_cost(const CoupledRun &run) {
    std::string text = std::string(rule) + "Coupled model simulation time (s): " + number_text(run.run.wall_s) +
                       "\n" + "(coupled components only)\n" + rule + "\n";
    text += line("Speed (SYPD)", run.cpmip.sypd) + line("Cost (CHPSY)", run.cpmip.chsy) + "\n";
    for (const Component &component : run.components) {
        text += line("Model      " + table_name(component) + " simulation time", component.wall_s());
        text += "           cost (CHPSY): " + number_text(component_chsy(run, component)) + "\n";
    }
    return text + rule + "\n";
}

std::string balance_table(const CoupledRun &run) {
    std::vector<double> computing, waiting;
    for (const Component &component : run.components) {
        computing.push_back(component.balance.computing_s);
        waiting.push_back(component.balance.waiting_s);
    }
    const std::vector<std::string> first = number_texts(computing), second = number_texts(waiting);
    TextTable table({}, " / ");
    for (std::size_t c = 0; c < run.components.size(); ++c)
        table.row({table_name(run.components[c]), first[c], second[c]});
    std::string idle;
    for (const Component &component : run.components)
        if (component.balance.is_io_server)
            idle += "(" + table_name(component) + " only takes data: its waiting is idle time)\n";
    return "Load balance analysis\n\n" + std::string(rule) + "Model / Computing time / Waiting time\n" + rule +
           table.text() + idle + rule + "\n";
}

std::string receive_times(const CoupledRun &run, const Component &component) {
    TextTable table({}, " : ");
    for (const WaitingFor &part : component.balance.waiting_for)
        table.row({"from model      " + short_name(run.component_name(part.component), table_name_columns),
                   number_text(part.get_s)});
    const std::string lines = table.text();
    const bool oasis = run.run.coupler.starts_with("OASIS");
    const std::string title =
        oasis ? "Specific oasis_get time\n(n/a if no oasis_get)\n" : "Specific GET time\n(n/a if no GET)\n";
    return title + (lines.empty() ? "n/a\n" : lines) + rule + "\n";
}

std::string operations(const ComponentBalance &b) {
    return "OASIS Operations :\n\n" + std::string(rule) + line("Total mapping/interpolation", b.mapping_s) +
           line("   with spread", b.mapping_spread_s) +
           "Total Netcdf output (OUTPUT+EXPOUT+restart): " + number_text(b.output_s) + "\n" +
           line("   with spread", b.output_spread_s) + line("   including restart", b.restart_s) +
           line("   with spread", b.restart_spread_s) + rule + "\n";
}

// In a run from timers few components have any of these figures.
bool has_additional(const CoupledRun &run, const ComponentBalance &b) {
    return !run.from_timers() || !b.waiting_for.empty() || is_known(b.jitter_s) || is_known(b.coupling_cost) ||
           is_known(b.mapping_s) || is_known(b.output_s) || is_known(b.restart_s);
}

std::string additional_information(const CoupledRun &run) {
    const auto has = [&](const Component &component) { return has_additional(run, component.balance); };
    if (run.from_timers() && std::ranges::none_of(run.components, has)) return "";
    std::string text = "Additional information\n\n";
    for (const Component &component : run.components) {
        const ComponentBalance &b = component.balance;
        if (!has(component)) continue;
        text += rule + table_name(component) + "\n" + rule + receive_times(run, component);
        text += line("Total jitter", b.jitter_s) + "\n";
        text += "Partial coupling cost (%) : " + per_cent_text(b.coupling_cost) + "\n" +
                "Partial coupling cost including OASIS operations (%) : " +
                per_cent_text(b.coupling_cost_with_operations) + "\n\n";
        text += operations(b);
    }
    return text;
}

constexpr std::size_t screen_columns = 80;
constexpr std::size_t screen_name_columns = 20;
constexpr std::size_t most_components = 10, most_remarks = 3, most_files = 8;

std::string more_line(std::size_t more, const std::string &what) {
    return more == 0 ? "" : "... and " + counted(more, "more " + what) + "\n";
}

// A run from timers leaves out the figures that they do not give.
std::string headline(const CoupledRun &run) {
    std::string text = "cpl_lb " CPL_LB_VERSION;
    const char *before = ": ";
    const auto add = [&](bool known, const std::string &figure) {
        if (!known && run.from_timers()) return;
        text += before + figure;
        before = ", ";
    };
    const std::int64_t processes = run.run.processes;
    add(processes > 0, processes > 0 ? counted(processes, "process", "processes") : "n/a processes");
    add(is_known(run.run.wall_s), number_text(run.run.wall_s) + " s");
    add(is_known(run.cpmip.sypd), number_text(run.cpmip.sypd) + " SYPD");
    add(is_known(run.cpmip.chsy), number_text(run.cpmip.chsy) + " CHSY");
    return wrapped(text, screen_columns);
}

// The component that this one waits for most.
std::string mostly_for(const CoupledRun &run, const ComponentBalance &balance) {
    std::vector<std::pair<std::string, double>> awaited;
    for (const WaitingFor &w : balance.waiting_for)
        value_of(awaited, awaited_text(run, balance, w.component, screen_name_columns)) += w.get_s + w.put_s;
    const auto most = std::ranges::max_element(awaited, {}, &std::pair<std::string, double>::second);
    return most == awaited.end() || !(most->second > 0) ? "" : most->first;
}

// The components, or if these are many, those with the most core time, in the order of their ids.
std::vector<std::size_t> chosen_components(const CoupledRun &run) {
    const auto weight = [&](std::size_t i) {
        return run.components[i].wall_s() * static_cast<double>(run.components[i].cores());
    };
    std::vector<std::size_t> chosen(run.components.size());
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    if (chosen.size() <= most_components) return chosen;
    std::ranges::stable_sort(chosen, std::greater(), weight);
    chosen.resize(most_components);
    std::ranges::sort(chosen);
    return chosen;
}

// Of members of an ensemble from the least to the most.
InSeconds with_range(InSeconds cell, const ComponentGroup &group, const Spread &of) {
    return group.is_folded() ? InSeconds{cell.value, cell.before, of.min, of.max} : cell;
}

std::string table(const CoupledRun &run) {
    if (run.components.empty()) return "";
    TextTable table =
        titled({"Component", "Processes", "Computing {s}", "Waiting {s}", "Waiting %", "Mostly for"}, {5});
    const auto [whole, groups] = folded(run);
    std::size_t shown = 0;
    for (const std::size_t i : chosen_components(whole)) {
        const Component &c = whole.components[i];
        const std::string times = groups[i].is_folded() ? " x " + std::to_string(groups[i].of.size()) : "";
        table.row({short_name(c.name, screen_name_columns - times.size()) + times, processes_text(c),
                   with_range({c.balance.computing_s}, groups[i], groups[i].computing_s),
                   with_range(waiting_cell(c.balance), groups[i], groups[i].waiting_s),
                   per_cent_text(c.balance.coupling_cost), mostly_for(whole, c.balance)});
        shown += groups[i].of.size();
    }
    if (run.from_timers()) table.keep_told();
    const bool has_members = std::ranges::any_of(groups, &ComponentGroup::is_folded);
    const std::string why = "Components whose names differ in a number are one row: means, from the least to the "
                            "most. --members none (or cn_members) shows each.";
    return "\n" + table.text(has_members ? screen_columns : TextTable::any_width) +
           more_line(run.components.size() - shown, "component") +
           (has_members && run.run.members.empty() ? wrapped(why, screen_columns) : "");
}

// The most important sentences, before the tables in the layout of the paper.
std::string in_short(const CoupledRun &run) {
    return headline(run) + table(run) + "\n";
}

std::string first_remarks(const CoupledRun &run) {
    std::string text;
    for (std::size_t i = 0; i < std::min(run.remarks.size(), most_remarks); ++i)
        text += wrapped("Note: " + safe_name(run.remarks[i]), screen_columns);
    text += more_line(run.remarks.size() - std::min(run.remarks.size(), most_remarks), "note");
    return text.empty() ? "" : "\n" + text;
}

std::string file_list(const std::string &directory, std::span<const std::string> files) {
    if (files.empty()) return "";
    std::string list = "Files in " + safe_name(directory) + ":";
    for (std::size_t i = 0; i < std::min(files.size(), most_files); ++i)
        list += " " + safe_name(files[i]);
    if (files.size() > most_files) list += " and " + std::to_string(files.size() - most_files) + " more";
    return "\n" + wrapped(list, screen_columns);
}

} // namespace

std::string text_summary(const CoupledRun &run) {
    std::string text =
        verdict(run) + in_short(run) + speed_and_cost(run) + balance_table(run) + additional_information(run);
    if (run.from_timers()) return text + further_sections(run);
    text += std::string(rule) + "Total time of this load balancing analysis:\n : " + number_text(run.analysis_s) +
            "\n" + rule;
    return text + further_sections(run);
}

std::string screen_summary(const CoupledRun &run, const std::string &directory, std::span<const std::string> files) {
    std::string text = headline(run) + "\n";
    for (const std::string &sentence : plain_words(run))
        text += wrapped(sentence, screen_columns);
    return text + table(run) + first_remarks(run) + file_list(directory, files);
}

} // namespace cpl_lb
