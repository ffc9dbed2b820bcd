// What a history says of separate jobs that are members of one ensemble.
#include "io/json/json_tree.hpp"
#include "prediction/member_plan.hpp"
#include "report/format.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "tools/history/history_output.hpp"
#include "tools/written_files.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// The start-up of the runs that are ensembles themselves.
StartupOfRuns startup_of(const RunMembers &members) {
    std::vector<StartupOfRun> runs;
    runs.reserve(members.runs.size());
    for (const StartedRun &run : members.runs) {
        if (run.startup.members < 1) continue;
        const std::string when = run.started.empty() ? "" : " (" + run.started + ")";
        runs.push_back({run.name + when, run.startup.members, run.startup.member_startup_s});
    }
    return startup_of_runs(std::move(runs));
}

// Why the start-up of runs is not known.
std::vector<std::string> startup_notes(const RunMembers &members) {
    const auto count = [&](auto is) { return std::count_if(members.runs.begin(), members.runs.end(), is); };
    const auto old = count([](const StartedRun &run) { return !run.startup.kept; });
    const auto no_loop =
        count([](const StartedRun &run) { return run.startup.kept && !is_known(run.startup.startup_s); });
    std::vector<std::string> notes;
    const std::string all = counted(static_cast<std::int64_t>(members.runs.size()), "run");
    if (old > 0) {
        notes.push_back(fmt::format("The start-up of {} of {} is n/a: the cpl-lb that added them did not keep it. "
                                    "cpl-lb history add with the same folders adds it.",
                                    old, all));
    }
    if (no_loop > 0)
        notes.push_back(fmt::format("The start-up of {} of {} is n/a: no coupling loop with its waiting is known.",
                                    no_loop, all));
    return notes;
}

// Times that read alike have no slowest one.
bool jobs_differ(const RunMembers &members) {
    return members.spread.count > 0 && number_text(members.spread.min) != number_text(members.spread.max);
}

// The jobs whose time is known.
std::string spread_in_words(const RunMembers &members) {
    const auto count = static_cast<std::int64_t>(members.of.size());
    const std::int64_t known = members.spread.count;
    const std::string who =
        known < count ? fmt::format("{} of {}", known, counted(count, "job")) : counted(count, "job");
    const char *const unit = members.by_speed ? "hours for a simulated year" : "s for a run";
    const std::string least = number_text(members.spread.min), most = number_text(members.spread.max);
    if (!jobs_differ(members))
        return fmt::format("{}: {} take{} {} {}.", safe_name(members.name), who, known == 1 ? "s" : "", least, unit);
    return fmt::format("{}: {} take {} to {} {}; slowest {}, fastest {}.", safe_name(members.name), who, least, most,
                       unit, safe_name(members.of[members.slowest].name),
                       safe_name(members.of[members.fastest].name));
}

// Why jobs are compared by their seconds, or by few of them.
std::vector<std::string> spread_notes(const RunMembers &members) {
    const auto without = [&](auto is_missing) {
        return std::count_if(members.of.begin(), members.of.end(), is_missing);
    };
    const auto no_speed = without([](const RunMember &m) { return !is_known(m.year_h); });
    const auto no_time = without([](const RunMember &m) { return !is_known(m.wall_s); });
    const auto no_cores = without([](const RunMember &m) { return m.cores <= 0; });
    const auto count = static_cast<std::int64_t>(members.of.size());
    std::vector<std::string> notes;
    if (no_speed > 0 && no_speed < count) {
        notes.push_back(
            fmt::format("Seconds of runs are compared: the SYPD of {} of {} is n/a. They tell who is slow only "
                        "if all jobs simulate the same time.",
                        no_speed, counted(count, "job")));
    }
    if (count > 1 && !is_known(members.waiting_share)) {
        const bool times = !members.by_speed && no_time > 0;
        if (times || no_cores > 0) {
            notes.push_back(fmt::format("The waiting for the slowest job is n/a: {} of {} tell no {}.",
                                        times ? no_time : no_cores, counted(count, "job"),
                                        times ? "run time" : "cores"));
        }
    }
    return notes;
}

std::vector<std::string> notes_on(const RunMembers &members) {
    std::vector<std::string> notes = spread_notes(members);
    const std::vector<std::string> more = startup_notes(members);
    notes.insert(notes.end(), more.begin(), more.end());
    return notes;
}

} // namespace

std::string members_as_text(const RunMembers &members) {
    std::string text = members.spread.count > 0 ? wrapped(spread_in_words(members), 80) : "";
    if (is_known(members.waiting_share)) {
        text += wrapped(fmt::format("Who needs all of them waits for the slowest: {} of their core time, if their "
                                    "cores were kept until then.",
                                    share_in_words(members.waiting_share)),
                        80);
    }
    TextTable table;
    table.row({"Job", "runs", "cores", "h/SY", "run {s}", "start-up {s}"});
    for (const RunMember &m : members.of)
        table.row({short_name(m.name, 40), count_text(m.runs), m.cores > 0 ? count_text(m.cores) : "n/a",
                   Decimal{m.year_h}, InSeconds{m.wall_s}, InSeconds{m.startup_s}});
    text += "\n" + table.text();
    const std::string startup = startup_as_text(startup_of(members));
    if (!startup.empty()) text += "\n" + startup;
    const std::vector<std::string> notes = notes_on(members);
    if (!notes.empty()) text += "\n";
    for (const std::string &note : notes)
        text += wrapped("Note: " + note, 80);
    return text;
}

std::string members_as_json(const RunMembers &members) {
    JsonTree of = JsonTree::array();
    for (const RunMember &m : members.of) {
        of.push_back({{"name", m.name},
                      {"runs", m.runs},
                      {"cores", m.cores > 0 ? JsonTree(m.cores) : JsonTree()},
                      {"year_h", JsonTree::number(m.year_h)},
                      {"wall_s", JsonTree::number(m.wall_s)},
                      {"startup_s", JsonTree::number(m.startup_s)}});
    }
    const StartupOfRuns startup = startup_of(members);
    JsonTree runs = JsonTree::array();
    for (const StartupOfRun &run : startup.runs) {
        runs.push_back({{"run", run.name}, {"members", run.members}, {"startup_s", JsonTree::number(run.startup_s)}});
    }
    const bool differ = jobs_differ(members);
    const JsonTree root = {{"name", members.name},
                           {"by_speed", members.by_speed},
                           {"slowest", differ ? JsonTree(members.of[members.slowest].name) : JsonTree()},
                           {"fastest", differ ? JsonTree(members.of[members.fastest].name) : JsonTree()},
                           {"waiting_share", JsonTree::number(members.waiting_share)},
                           {"of", of},
                           {"startup_of_runs", runs},
                           {"startup_growth_s", JsonTree::number(startup.growth_s)},
                           {"notes", notes_on(members)}};
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
