// Says why processes wait for each other, the largest part first.

#include "analysis/waiting_share.hpp"
#include "report/format.hpp"
#include "report/verdict_parts.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace cpl_lb {
namespace {

constexpr double told_from = 0.1;     // of the imbalance: smaller parts are left out
constexpr double nearly_always = 0.9; // one process comes last for this share of the imbalance

// A part in the loop. The parts add up to the imbalance; where the processes can have waited for less, so to that.
double share_of(const Component &c, double seconds) {
    const WaitingInside waiting = waiting_inside(c);
    const double told = waiting.is_spread ? 1 : waiting.seconds / c.balance.imbalance_s;
    return told * seconds / c.balance.loop_s;
}

// The region in which that process takes longer than the fastest by half of the part or more. Of nested regions, the
// shortest that has nearly all of it.
std::string in_region(const Component &c, std::int64_t process) {
    const RegionSummary *found = nullptr;
    const auto longer = [](const RegionSummary &r) { return r.max_s - r.min_s; };
    double most = 0.5 * c.balance.imbalance_parts.processes_s;
    for (const RegionSummary &r : c.regions)
        if (r.slowest == process) most = std::max(most, longer(r));
    for (const RegionSummary &r : c.regions)
        if (r.slowest == process && longer(r) >= 0.9 * most && (found == nullptr || r.max_s < found->max_s))
            found = &r;
    return found == nullptr ? "" : say(Sentence::part_in_region, {{"region", safe_name(found->name)}});
}

std::string of_processes(const Component &c, const std::string &share) {
    const std::vector<LateProcess> &last = c.balance.imbalance_parts.last;
    const LateProcess most = last.empty() ? LateProcess() : last.front();
    return say(most.share >= nearly_always ? Sentence::part_one_process : Sentence::part_same_processes,
               {{"process", count_text(most.process)}, {"region", in_region(c, most.process)}, {"share", share}});
}

std::string of_node(const Component &c, const std::string &share) {
    const ImbalanceParts &p = c.balance.imbalance_parts;
    const std::string node =
        p.late_node.empty() ? "of process " + count_text(p.late_node_process) : safe_name(p.late_node);
    return say(Sentence::part_node, {{"node", node}, {"share", share}});
}

// A part of what processes wait for each other.
struct LatePart {
    double seconds = 0;
    std::string words;
};

// Those that are told, the largest first.
std::vector<LatePart> parts_of(const Component &c) {
    const ImbalanceParts &p = c.balance.imbalance_parts;
    const auto share = [&](double seconds) { return share_in_words(share_of(c, seconds)); };
    std::vector<LatePart> parts = {{p.processes_s, of_processes(c, share(p.processes_s))},
                                   {p.nodes_s, of_node(c, share(p.nodes_s))}};
    const double least = told_from * c.balance.imbalance_s;
    std::erase_if(parts, [&](const LatePart &part) { return !(part.seconds >= least) || part.words.empty(); });
    std::ranges::stable_sort(parts, std::greater(), &LatePart::seconds);
    return parts;
}

// Empty if they are less than a tenth of the imbalance.
std::string stalls_in_words(const Component &c) {
    const Stalls &stalls = c.balance.imbalance_parts.stalls;
    if (stalls.count == 0 || !(stalls.all_s >= told_from * c.balance.imbalance_s)) return "";
    const std::string step = count_text(stalls.longest_step), seconds = number_text(stalls.longest_s);
    if (stalls.count == 1) return say(Sentence::part_stall, {{"step", step}, {"seconds", seconds}});
    return say(Sentence::part_stalls, {{"count", count_text(stalls.count)},
                                       {"all", number_text(stalls.all_s)},
                                       {"step", step},
                                       {"seconds", seconds}});
}

bool is_told(const Component &c) {
    return has_loop(c) && c.balance.imbalance_parts.known() && c.balance.imbalance_s > 0;
}

// The component that loses the most core time: those with a spread, or the others.
const Component *costliest(const CoupledRun &run, bool spread) {
    const Component *worst = nullptr;
    double most = 0;
    for (const Component &c : run.components) {
        const WaitingInside waiting = waiting_inside(c);
        const double seconds = spread ? c.balance.imbalance_s : waiting.seconds;
        const double cost = seconds * static_cast<double>(c.cores());
        if (!is_told(c) || waiting.is_spread != spread || seconds < imbalance_told_from * c.balance.loop_s) continue;
        if (worst != nullptr && cost <= most) continue;
        worst = &c;
        most = cost;
    }
    return worst;
}

// Told parts, and the rest if that is a tenth of the imbalance or more.
std::string parts_in_words(const Component &c) {
    const std::vector<LatePart> told = parts_of(c);
    if (told.empty()) return say(Sentence::part_all_random);
    std::string text;
    for (const LatePart &part : told)
        text += (text.empty() ? "" : ", ") + part.words;
    const double random_s = c.balance.imbalance_parts.random_s;
    if (random_s >= told_from * c.balance.imbalance_s)
        text += ", " + say(Sentence::part_random, {{"share", share_in_words(share_of(c, random_s))}});
    return text;
}

} // namespace

std::string imbalance_parts_in_words(const Component &component) {
    const std::string stalls = stalls_in_words(component);
    return parts_in_words(component) + (stalls.empty() ? "" : "; " + stalls);
}

std::string imbalance_sentence(const CoupledRun &run) {
    if (const Component *c = costliest(run, false); c != nullptr) {
        return say(Sentence::imbalance, {{"name", name_in_words(run, c->id)},
                                         {"share", share_in_words(waiting_inside(*c).seconds / c->balance.loop_s)},
                                         {"parts", imbalance_parts_in_words(*c)}});
    }
    const Component *c = costliest(run, true);
    if (c == nullptr) return "";
    const WaitingInside waiting = waiting_inside(*c);
    return say(Sentence::spread, {{"name", name_in_words(run, c->id)},
                                  {"share", share_in_words(c->balance.imbalance_s / c->balance.loop_s)},
                                  {"most", share_in_words(waiting.seconds / c->balance.loop_s)},
                                  {"why", say(waiting.by_mpi ? Sentence::part_little_mpi : Sentence::part_ahead)},
                                  {"parts", imbalance_parts_in_words(*c)}});
}

SectionText imbalance_section(const CoupledRun &run) {
    TextTable table = titled({"Component", "imbalance", "same processes", "same nodes", "the rest"});
    std::string lines;
    bool any = false;
    for (const Component &c : run.components) {
        if (!is_known(c.balance.loop_s)) continue;
        const ImbalanceParts &p = c.balance.imbalance_parts;
        any = any || p.known();
        table.row({table_name(c), InSeconds{c.balance.imbalance_s}, InSeconds{p.processes_s}, InSeconds{p.nodes_s},
                   InSeconds{p.random_s}});
        if (!p.known()) {
            lines += table_name(c) + ": n/a, because " +
                     (p.why_missing.empty() ? "an older version recorded it" : p.why_missing) + "\n";
            continue;
        }
        for (const LateProcess &late : p.last) {
            lines += wrapped(fmt::format("{}: process {} is last for {} of the imbalance, {} s later than the mean",
                                         table_name(c), late.process, share_in_words(late.share),
                                         number_text(late.late_s)),
                             text_columns);
        }
        if (const std::string stalls = stalls_in_words(c); !stalls.empty())
            lines += wrapped(table_name(c) + ": " + stalls, text_columns);
        if (!p.why_no_nodes.empty()) lines += table_name(c) + ": same nodes n/a, because " + p.why_no_nodes + "\n";
    }
    return any ? SectionText{table, lines} : SectionText{};
}

} // namespace cpl_lb
