// Each sentence of a verdict to its check.
#include "tests/report/sentence_check.hpp"

#include "tests/report/verdict_checker.hpp"

#include <algorithm>
#include <cmath>
#include <regex>
#include <string>
#include <vector>

namespace cpl_lb::test {
namespace {

// "A, B and C" as its parts.
std::vector<std::string> parts_of_list(const std::string &text) {
    static const std::regex between(", | and ");
    return {std::sregex_token_iterator(text.begin(), text.end(), between, -1), {}};
}

struct CanWait {
    double seconds = 0;
    bool is_spread = false;
};

// How long the mean process waits for the last one of it (in a spread: what one can have waited at most), and whether
// its arrivals are only a spread.
CanWait can_wait(const Component &c) {
    const ComponentBalance &b = c.balance;
    const auto or_0 = [](double seconds) { return std::isfinite(seconds) ? seconds : 0; };
    const double i = b.imbalance_s, m = or_0(b.imbalance_parts.mean_s), carried = or_0(b.imbalance_parts.carried_s);
    const double waits_s = i > 0 ? (i - carried) * (i - m) / i : 0;
    if (c.inside.useful_s.count == 0 || c.inside.of_whole_run) {
        const double ahead_s = or_0(b.imbalance_parts.overtaken_s);
        if (2 * ahead_s > b.imbalance_s) return {b.imbalance_s - ahead_s, true};
        return {waits_s, false};
    }
    bool joins = false; // operations over several components
    for (const WaitingFor &w : b.waiting_for)
        joins = joins || w.sync_s > 0;
    double in_mpi_s = joins ? or_0(c.inside.exchanges_s.max) : 0;
    for (const Spread &one : c.inside.in_class_s)
        in_mpi_s += or_0(one.max);
    const double seconds = std::min(in_mpi_s, b.imbalance_s);
    const bool is_spread = 2 * seconds < b.imbalance_s - m;
    return {is_spread ? seconds : std::min(seconds, waits_s), is_spread};
}

} // namespace

void VerdictChecker::check_equally_slow(const Figures &f) {
    const std::vector<std::string> names = parts_of_list(f.at("names"));
    expect(names.size() >= 2 && names.size() == run_.balance.equally_slow.size(), "they are not as many");
    expect(f.at("all") == (names.size() == 2 ? "both" : "all of them"), "wrongly counted");
    expect(path_of(names.front()) > 0, "nobody is slow");
    if (f.count("shares") == 0) return;
    const std::vector<std::string> shares = parts_of_list(f.at("shares"));
    expect(names.size() == shares.size(), "not one share for each");
    for (std::size_t i = 0; i < std::min(names.size(), shares.size()); ++i)
        expect(is_share(shares[i], path_of(names[i])), names[i] + " has another share");
}

// The component, its share, and that no other one is told before it.
void VerdictChecker::check_imbalance(const Figures &f) {
    const Component *c = named(f.at("name"));
    if (c == nullptr) return expect(false, "no such component");
    const CanWait can = can_wait(*c);
    const double apart_s = c->balance.imbalance_s, loop_s = c->balance.loop_s;
    if (can.is_spread != (id_ == "spread")) return expect(false, "it is the other of waiting and spread");
    const double told_s = can.is_spread ? apart_s : can.seconds;
    expect(told_s >= 0.05 * loop_s, "it is small");
    expect(is_share(f.at("share"), told_s / loop_s), "another share");
    if (can.is_spread) expect(is_share(f.at("most"), can.seconds / loop_s), "they can have waited for another time");
    for (const Component &other : run_.components) {
        if (!other.balance.imbalance_parts.known() || !loops(other)) continue;
        const CanWait others = can_wait(other);
        const double seconds = others.is_spread ? other.balance.imbalance_s : others.seconds;
        if (seconds < 0.05 * other.balance.loop_s || (others.is_spread && !can.is_spread)) continue;
        expect(others.is_spread || !can.is_spread, other.name + " waits");
        expect(seconds * static_cast<double>(other.cores()) <= told_s * static_cast<double>(c->cores()) * (1 + 1e-9),
               other.name + " costs more");
    }
    check_imbalance_parts(f, *c, told_s / apart_s);
}

// Each part that is told, by its words and its share; and none that is a tenth of the imbalance is left out.
void VerdictChecker::check_imbalance_parts(const Figures &f, const Component &c, double told_share) {
    const ComponentBalance &b = c.balance;
    const ImbalanceParts &p = b.imbalance_parts;
    const std::string &text = f.at("parts");
    const auto told = [&](const std::string &words, double seconds) {
        std::smatch found;
        const bool is = std::regex_search(text, found, std::regex(words + R"([^()]*\(([^()]*)\))"));
        expect(is == (seconds >= 0.1 * b.imbalance_s), is ? words + " is said" : words + " is not said");
        if (is) expect(is_share(found[1].str(), told_share * seconds / b.loop_s), words + " has another share");
    };
    std::smatch stalls;
    const bool stall =
        std::regex_search(text, stalls, std::regex(R"(; (?:(\d+) steps stall \(([\d.]+) s\), )?step (\d+) )"));
    expect(stall == (p.stalls.count > 0 && p.stalls.all_s >= 0.1 * b.imbalance_s), "a stall is said, or is not");
    if (stall) {
        expect(stalls[3] == std::to_string(p.stalls.longest_step), "another step stalls");
        expect((stalls[1].matched ? std::stoll(stalls[1]) : 1) == p.stalls.count, "another number of steps stalls");
    }
    if (text.starts_with("who is late, and by how much, differs each time"))
        return expect(p.random_s > 0.8 * b.imbalance_s, "it is one part");
    const bool one = !p.last.empty() && p.last.front().share >= 0.9;
    told(one ? "nearly always last" : "the same processes are late", p.processes_s);
    told("the processes on node", std::isfinite(p.nodes_s) ? p.nodes_s : 0);
    told("the rest differs each time", p.random_s);
}

void VerdictChecker::check_one(const ReadSentence &sentence) {
    id_ = sentence.id;
    said_.insert(id_);
    const Figures &f = sentence.figures;
    const RunBalance &b = run_.balance;
    const auto is = [&](auto... ids) { return ((sentence.id == ids) || ...); };
    if (is("slow_side", "slow_side_alone", "slow_of_two")) return check_slow(f, true);
    if (is("slow_by_waits")) return check_slow(f, false);
    if (is("mutual")) return check_mutual(f);
    if (is("no_slow_side")) {
        expect(is_share(f.at("share"), path_of(f.at("one"))), "the first has another share");
        expect(is_share(f.at("second"), path_of(f.at("other"))), "the second has another share");
        return expect(std::abs(path_of(f.at("one")) - path_of(f.at("other"))) <= 0.05 + 1e-9, "one is clearly slow");
    }
    if (is("equally_slow")) return check_equally_slow(f);
    if (is("as_slow")) {
        check_equally_slow(f);
        double least = 1;
        for (const std::string &name : parts_of_list(f.at("names")))
            least = std::min(least, path_of(name));
        return expect(least < 0.05, "each has a share that could be said");
    }
    if (is("longest_wait")) {
        const Component *waiter = named(f.at("waiter"));
        const std::string &awaited = f.at("awaited");
        expect(waiter != nullptr && is_share(f.at("share"), wait(*waiter, awaited)), "another share");
        longest_said_ = std::max(longest_said_, share_of(f.at("share")));
        return;
    }
    if (is("unrecorded")) {
        expect(named(f.at("name")) == nullptr, "it was recorded");
        check_waiters(f.at("waiters"), f.at("name") == "A program" ? "not recorded" : f.at("name"));
        return;
    }
    if (is("another_world")) {
        const std::string world = "another MPI world";
        expect(std::ranges::count(run_.component_names, world) == 1 && named(world) == nullptr, "there is none");
        if (!f.at("waiters").empty()) check_waiters(f.at("waiters").substr(2), world); // behind ": "
        return;
    }
    if (is("slow_not_known")) {
        const Component *hub = named(f.at("hub"));
        expect(hub != nullptr && hub->balance.waiting_s > 0.5 * hub->balance.loop_s, "it computes most of its time");
        check_waiters(f.at("waiters"), f.at("hub"));
        return;
    }
    if (is("balanced", "balanced_except", "hardly_waits")) return expect(longest_wait() < 0.02, "somebody waits");
    if (is("waiting_share")) check_without(f.at("without"));
    if (is("waiting_share", "its_cores_wait"))
        return expect(is_share(f.at("share"), waiting_of_all()), "another share");
    if (is("little_left")) return check_little_left();
    if (is("not_counted")) return check_left_out(f);
    if (is("gain")) return check_gain(f);
    if (is("no_gain")) return expect(b.best_s > 0.98 * b.loop_s, "another split is shorter");
    if (is("gain_not_known")) return expect(!std::isfinite(b.best_s), "it is known");
    if (is("server")) return check_server(f, true);
    if (is("only_takes")) return check_server(f, false);
    if (is("disturbed")) return check_disturbed(f);
    if (is("imbalance", "spread")) return check_imbalance(f);
    if (is("transfer_bound")) return check_transfer(f);
    if (is("startup")) {
        double first = unknown, loops_at = unknown;
        std::string last;
        for (const Component &c : run_.components) {
            first = std::fmin(first, to_seconds(c.first_init));
            if (!loops(c) || c.balance.is_io_server || !std::isfinite(c.balance.startup.length_s)) continue;
            const double at = to_seconds(c.first_init) + c.balance.startup.length_s;
            if (!(at <= loops_at)) last = c.name;
            loops_at = std::fmax(loops_at, at);
        }
        expect(loops_at - first >= 0.1 * run_.run.wall_s - 1e-6, "it is short");
        expect(last == f.at("name"), last + " is the last");
        expect(std::abs(std::stod(f.at("seconds")) / (loops_at - first) - 1) < 0.006, "another time");
        return expect(is_share(f.at("share"), (loops_at - first) / run_.run.wall_s), "another share");
    }
    if (is("late_sender")) {
        const Component *c = named(f.at("name"));
        if (c == nullptr) return expect(false, "no such component");
        const auto &late = c->inside.traffic.waited_for;
        if (late.empty()) return expect(false, "nobody is waited for");
        const double core_s = static_cast<double>(c->ranks.size()) * c->inside.length_s;
        expect(std::to_string(late[0].process) == f.at("process"), "another process");
        expect(is_share(f.at("share"), late[0].in_loop_s / core_s), "another share");
        expect(late[0].in_loop_s >= 0.02 * core_s && late[0].waits >= 10, "it is little");
        for (std::size_t i = 1; i < late.size(); ++i)
            expect(late[0].in_loop_s >= 1.5 * late[i].in_loop_s, "others are waited for, too");
        return;
    }
    if (is("inside_mpi", "inside_mpi_beside"))
        return expect(share_of(f.at("share")) + share_of(f.at("useful")) <= 1.01, "more than all");
    if (is("nothing_coupled")) {
        for (const Component &c : run_.components)
            expect(!loops(c) || c.balance.waiting_for.empty(), c.name + " has exchanges");
        return;
    }
    if (is("not_judged")) {
        return expect(
            std::any_of(run_.components.begin(), run_.components.end(), [](const Component &c) { return !loops(c); }),
            "all have a loop");
    }
    if (is("nobody_computes")) {
        for (const Component &c : run_.components)
            expect(!counts(c) || 100 * c.balance.computing_s < c.balance.loop_s, c.name + " computes");
        nothing_known_ = true;
        return;
    }
    if (is("clocks_wrong")) {
        expect(std::stoll(f.at("count")) == run_.clock.order_violations, "another number");
        expect(100 * std::stoll(f.at("count")) > std::stoll(f.at("fields")), "one in a hundred");
        nothing_known_ = true;
        return;
    }
    if (is("nothing_recorded")) return expect(run_.components.empty(), "there are components");
    if (is("processes_missing")) return expect(std::stoll(f.at("count")) == run_.run.missing_count, "another number");
    if (is("recovered")) return expect(run_.run.origin == Origin::recovered, "it was not");
    if (is("imported")) return expect(run_.run.origin == Origin::imported, "it was not");
    if (is("dropped")) {
        const Component *c = named(f.at("name"));
        return expect(c != nullptr && std::to_string(c->dropped_events) == f.at("count"), "another number");
    }
    if (is("other_end_not_known", "with_itself")) {
        longest_said_ = std::max(longest_said_, share_of(f.at("share")));
        return;
    }
    if (is("computing_changes")) return check_change(f);
    if (is("covers_little")) return check_covers(f);
    if (is("no_loop"))
        return expect(std::none_of(run_.components.begin(), run_.components.end(), loops), "there is a loop");
    if (is("few_steps_computing", "few_steps_waiting")) return check_few_steps(f, is("few_steps_computing"));
    if (is("few_steps_in_splits")) return expect(std::isfinite(b.best_s), "the model compared nothing");
    if (is("more_change")) {
        const auto for_good = static_cast<std::size_t>(
            std::count_if(b.computing_changes.begin(), b.computing_changes.end(),
                          [](const ComputingChange &change) { return change.parts.size() >= 2; }));
        const std::size_t others = b.computing_changes.size() - for_good, more = std::stoul(f.at("count"));
        return expect(more + 3 == for_good || more + 3 == others, "another number changes");
    }
    if (is("figures_of_whole_loop")) {
        expect(changes_for_good(), "nothing changes for good");
        return expect(!std::isfinite(b.best_s), "there is a best split");
    }
    if (is("whole_loop")) return expect(changes_for_good(), "nothing changes for good");
    if (is("later_no_gain")) {
        expect(changes_for_good(), "nothing changes for good");
        return expect(b.later.best_s > 0.98 * b.later.loop_s, "another split is shorter");
    }
    if (is("later_gain")) {
        expect(changes_for_good(), "nothing changes for good");
        expect(b.later.best_s <= 0.98 * b.later.loop_s, "no split is much shorter");
        return expect(std::abs(std::stod(f.at("seconds")) / b.later.best_s - 1) < 0.006, "another time");
    }
    if (is("windows_hide", "windows_beside")) {
        expect(std::ranges::any_of(run_.components,
                                   [](const Component &c) {
                                       return std::ranges::any_of(c.fields, [](const FieldTraffic &field) {
                                           return field.name == "window accesses" || field.name == "shared memory";
                                       });
                                   }),
               "nobody does");
        nothing_known_ = nothing_known_ || is("windows_hide");
        return;
    }
    if (is("other_threads")) return expect(run_.run.elsewhere_calls > 0, "there were no such calls");
    expect(false, "no sentence of a verdict");
}

std::vector<std::string> VerdictChecker::check(const std::vector<std::string> &words) {
    for (const std::string &text : words) {
        const std::vector<ReadSentence> read = read_sentences(text);
        if (read.empty() && !text.empty()) wrong_.push_back("not in the table: " + text);
        for (const ReadSentence &one : read) {
            check_one(one);
        }
    }
    id_ = "all";
    const bool any_left_out =
        std::ranges::any_of(run_.components, [&](const Component &c) { return is_left_out(c); });
    expect(said_.contains("not_counted") == (any_left_out && !nothing_known_), "what is left out is told, or is not");
    const double longest = longest_wait();
    if (!nothing_known_ && longest >= 0.02) expect(longest_said_ >= longest - 0.006, "a longer wait is not told");
    return wrong_;
}

std::vector<std::string> what_is_false(const CoupledRun &run, const std::vector<std::string> &words) {
    return VerdictChecker(run).check(words);
}

} // namespace cpl_lb::test
