// The members of all runs are samples of one curve: they are the same model.
#include "tools/balance/balance_problem.hpp"

#include "analysis/member_groups.hpp"
#include "io/json/json_tree.hpp"
#include "prediction/member_plan.hpp"
#include "report/format.hpp"
#include "run/loaded/load_run.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/command_line.hpp"
#include "tools/run_options.hpp"
#include "tools/written_files.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t most_plans = 8;

struct MembersOfRuns {
    std::vector<ScalingSample> samples;
    std::int64_t members = 0, cores = 0; // of the first run: its members, and their cores
    std::string first, last;             // their names
    std::int64_t others = 0;             // its other components
    std::int64_t cores_of_run = 0;
    std::vector<StartupOfRun> startup; // of each run
    double slowest = 1;                // the largest time of a member / the mean of those with as many cores
};

// Computing of a coupling step, which runs of any length have in common.
void add_members(MembersOfRuns &all, const CoupledRun &run, const std::string &pattern, const std::string &folder) {
    const std::vector<MemberGroup> groups = find_members(run, member_choice(pattern));
    if (groups.empty())
        throw std::invalid_argument("--members: fewer than two components of " + folder + " are called " + pattern);
    Spread startup_s;
    for (const EnsembleMember &m : groups.front().of) {
        const Component &c = run.components[m.place];
        if (!(c.balance.computing_s > 0) || c.balance.step_count < 1 || c.cores() < 1 || c.missing_processes > 0)
            throw std::invalid_argument("--members: what " + m.name + " of " + folder +
                                        " computes in a coupling step is not known");
        ScalingSample sample;
        sample.processes = static_cast<double>(c.cores());
        sample.seconds = c.balance.computing_s / static_cast<double>(c.balance.step_count);
        all.samples.push_back(sample);
        startup_s.add(c.balance.startup.length_s);
    }
    const auto members = static_cast<std::int64_t>(groups.front().of.size());
    all.startup.push_back({folder, members, startup_s.count == members ? startup_s.max : unknown});
    if (all.members > 0) return;
    all.members = members;
    all.first = groups.front().of.front().name;
    all.last = groups.front().of.back().name;
    all.others = static_cast<std::int64_t>(run.components.size()) - members;
    all.cores_of_run = run.run.cores;
    for (const EnsembleMember &m : groups.front().of)
        all.cores += run.components[m.place].cores();
    if (run.run.cores > 0) all.cores = std::min(all.cores, run.run.cores); // members that take turns on the same ones
}

double slowest_over(const std::vector<ScalingSample> &samples, const ScalingCurve &curve) {
    double most = 1;
    for (const ScalingSample &s : samples)
        most = std::max(most, s.seconds / curve.seconds(s.processes, CurveForm::measured));
    return most;
}

void check_members(const BalanceOptions &o) {
    if (member_choice(o.members).patterns.size() != 1)
        throw cli::WrongUsage("--members: one name with a * in it, such as 'atmosphere_*'");
    if (o.directories.empty()) throw cli::WrongUsage("--members needs folders of runs");
    const KindOptions &kind = o.kind;
    const LaunchOptions &launch = o.launch;
    const std::pair<const char *, bool> others[] = {{"--curves", !o.curves.empty()},
                                                    {"--layout", !o.layout.empty()},
                                                    {"--block", !o.block.empty()},
                                                    {"--min", !o.min.empty()},
                                                    {"--max", !o.max.empty()},
                                                    {"--allowed", !o.allowed.empty()},
                                                    {"--serial", !o.serial.empty()},
                                                    {"--power", !o.power.empty()},
                                                    {"--threads", !o.threads.empty()},
                                                    {"--html", !o.html.empty()},
                                                    {"--objective", o.objective != "time"},
                                                    {"--node-memory", o.node_memory_GB > 0},
                                                    {"--without", !o.without.empty()},
                                                    {"--order", !o.order.empty()},
                                                    {"--no-sharing", o.no_sharing},
                                                    {"--kinds", !kind.kinds.empty()},
                                                    {"--on", !kind.on.empty()},
                                                    {"--share", !kind.share.empty()},
                                                    {"--nodes", !kind.nodes.empty()},
                                                    {"--price", !kind.price.empty()},
                                                    {"--host-cores", kind.host_cores > 0},
                                                    {"--launch", !launch.forms.empty()},
                                                    {"--template", !launch.pattern.empty()},
                                                    {"--output", !launch.output.empty()},
                                                    {"--form-name", !launch.form_names.empty()},
                                                    {"--tiles", !launch.tiles.empty()}};
    for (const auto &[name, given] : others) {
        if (given)
            throw cli::WrongUsage(std::string("--members does not go with ") + name +
                                  ": only with --total, --cores-per-node, --curve and --json");
    }
}

std::string plans_as_json(const BalanceOptions &o, const MembersOfRuns &all, const std::vector<MemberPlan> &plans) {
    JsonTree list = JsonTree::array();
    for (const MemberPlan &p : plans) {
        list.push_back({{"at_once", p.at_once},
                        {"rounds", p.rounds},
                        {"cores", p.cores},
                        {"nodes", p.nodes > 0 ? JsonTree(p.nodes) : JsonTree()},
                        {"idle_cores", p.idle_cores},
                        {"step_s", JsonTree::number(p.seconds)},
                        {"measured", p.measured}});
    }
    const StartupOfRuns startup = startup_of_runs(all.startup);
    JsonTree runs = JsonTree::array();
    for (const StartupOfRun &run : startup.runs) {
        runs.push_back({{"folder", JsonTree::text(run.name)},
                        {"members", run.members},
                        {"startup_s", JsonTree::number(run.startup_s)}});
    }
    JsonTree root = {{"members", all.members},
                     {"name", o.members},
                     {"total", o.total},
                     {"other_components", all.others},
                     {"slowest_of_mean", all.slowest},
                     {"startup_of_runs", runs},
                     {"startup_growth_s", JsonTree::number(startup.growth_s)},
                     {"plans", list}};
    return root.dump(2) + "\n";
}

std::string cores_of_plan(const MemberPlan &p, const BalanceOptions &o) {
    if (p.nodes > 0) return counted(p.cores, "core") + " (" + counted(p.nodes, "whole node") + ")";
    return counted(p.cores, "core") + (o.cores_per_node > 0 ? " (a part of a node)" : "");
}

// What a star means.
std::string not_measured(const std::vector<MemberPlan> &plans, const ScalingCurve &curve) {
    const auto least = static_cast<std::int64_t>(curve.samples().front().processes);
    const auto most = static_cast<std::int64_t>(curve.samples().back().processes);
    if (least == most) {
        return fmt::format("* All members were measured on {}: for other counts they are taken to scale ideally.",
                           counted(least, "core"));
    }
    double share = 0; // of all that are extrapolated; NaN where one is not known
    for (const MemberPlan &p : plans) {
        if (p.measured || !is_known(share)) continue;
        const double own = curve.uncertainty(static_cast<double>(p.cores));
        share = is_known(own) ? std::max(own, share) : unknown;
    }
    return fmt::format(
        "* Members were measured on {} to {} cores: other counts are extrapolated, and uncertain by {}.", least, most,
        is_known(share) ? "up to " + share_in_words(share) : "n/a");
}

// Best plans on counts outside of the measured ones.
std::string how_uncertain(const MemberPlan &best, const ScalingCurve &curve) {
    if (best.measured) return "";
    const double share = curve.uncertainty(static_cast<double>(best.cores));
    if (!is_known(share)) return "How uncertain its time is: n/a, because members were measured on one count.";
    return fmt::format("Its time is uncertain by {}.", share_in_words(share));
}

// Whose cores are not divided here.
std::string who_else(const MembersOfRuns &all) {
    if (all.others < 1 || all.cores_of_run < 1) return "";
    const std::string others = all.others == 1 ? "other component keeps its" : "other components keep their";
    return fmt::format("Members are {} to {}: they have {} of the {} of the run. The {}{} cores.",
                       short_name(all.first, 40), short_name(all.last, 40), all.cores,
                       counted(all.cores_of_run, "core"), all.others == 1 ? "" : count_text(all.others) + " ",
                       others);
}

std::string plans_as_text(const BalanceOptions &o, const MembersOfRuns &all, const std::vector<MemberPlan> &plans,
                          const ScalingCurve &curve) {
    const MemberPlan &best = plans.front();
    std::string text;
    const auto add = [&text](const std::string &sentence) { text += sentence.empty() ? "" : wrapped(sentence, 80); };
    add(fmt::format("Best on {}: {} of the {} members at once, each on {}, in {}: {} s for a coupling step of all of "
                    "them.",
                    counted(o.total, "core"), best.at_once, all.members, cores_of_plan(best, o),
                    counted(best.rounds, "round"), number_text(best.seconds)));
    add(how_uncertain(best, curve));
    add(who_else(all));
    TextTable table;
    table.row({"at once", "rounds", "cores each", "nodes each", "idle cores", "step of all {s}"});
    for (std::size_t i = 0; i < std::min(plans.size(), most_plans); ++i) {
        const MemberPlan &p = plans[i];
        table.row({count_text(p.at_once), count_text(p.rounds), count_text(p.cores) + (p.measured ? "" : " *"),
                   p.nodes > 0 ? count_text(p.nodes) : "n/a", count_text(p.idle_cores), InSeconds{p.seconds}});
    }
    text += "\n" + table.text();
    if (plans.size() > most_plans)
        text += "... and " + count_text(static_cast<std::int64_t>(plans.size() - most_plans)) + " slower\n";
    text += "\n";
    if (std::ranges::any_of(plans, [](const MemberPlan &p) { return !p.measured; })) add(not_measured(plans, curve));
    if (o.cores_per_node > 0 && all.members > o.total / o.cores_per_node) {
        add(fmt::format("There are more members ({}) than nodes ({}): all at once, members share nodes.", all.members,
                        o.total / o.cores_per_node));
    }
    if (all.slowest > 1.02) {
        add(fmt::format("These are times of the mean member: the slowest took {:.3g} times as long, and each "
                        "round ends with its slowest.",
                        all.slowest));
    }
    return text;
}

} // namespace

std::string members_answer(const BalanceOptions &given) {
    BalanceOptions options = given;
    check_members(options);
    refuse_folders_twice(options.directories);
    MembersOfRuns all;
    for (const std::string &folder : options.directories)
        add_members(all, load_figures(folder), options.members, folder);
    if (options.total == 0) options.total = all.cores;
    if (options.total < 1) throw std::invalid_argument("--total says how many cores there are: the run does not");
    if (options.cores_per_node > options.total)
        throw std::invalid_argument("--cores-per-node is above --total: there is no whole node");
    const ScalingCurve curve(all.samples);
    all.slowest = slowest_over(all.samples, curve);
    const std::vector<MemberPlan> plans =
        member_plans({all.members, options.total, options.cores_per_node}, curve, curve_form(options.curve));
    if (plans.empty()) throw std::invalid_argument("--total: no core for each member");
    if (options.json) return plans_as_json(options, all, plans);
    std::string text = plans_as_text(options, all, plans, curve);
    const std::string startup = startup_as_text(startup_of_runs(all.startup));
    if (!startup.empty() && !text.ends_with("\n\n")) text += "\n";
    return text + startup;
}

} // namespace cpl_lb
