// Members of simulated ensembles: their figures and sentences against what the simulator knows, and against the same
// ensemble simulated without the reason why some are late.
#include "analysis/exchanges.hpp"
#include "analysis/member_figures.hpp"
#include "analysis/run_cost.hpp"
#include "analysis/waiting_share.hpp"
#include "prediction/run_balance.hpp"
#include "report/verdict_parts.hpp"
#include "support/node_names.hpp"
#include "support/sentences.hpp"
#include "tests/report/checked_words.hpp"
#include "tests/simulator/ensemble.hpp"
#include "tests/simulator/environment.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <map>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

struct Seen {
    Ensemble made;
    CoupledRun run;
    MeetingTruth truth;
    [[nodiscard]] const MemberGroup &group() const { return run.members.at(0); }
};

Seen seen(const EnsembleSettings &settings, std::uint64_t seed = 1) {
    Seen s{ensemble(settings), {}, {}};
    const Run run = simulate(s.made.model(), s.made.counts(), {.steps = settings.steps, .seed = seed});
    s.run = as_ensemble_run(s.made, run);
    s.truth = meeting_truth(s.made, run);
    s.run.exchanges = find_exchanges(s.run);
    count_order_violations(s.run, s.run.exchanges);
    judge_balance(s.run, s.run.exchanges);
    judge_members(s.run);
    return s;
}

// How much sooner the last member comes if all are alike: the same noise, without the reason.
double share_of_reason(const Seen &s, std::uint64_t seed) {
    EnsembleSettings plain = s.made.settings;
    plain.weight = {};
    plain.node_factor = plain.cut_factor = 1;
    const Ensemble without = ensemble(plain);
    const Run run = simulate(without.model(), without.counts(), {.steps = plain.steps, .seed = seed});
    return 1 - meeting_truth(without, run).spread_s / s.truth.spread_s;
}

double sum_of_parts(const ImbalanceParts &p) {
    return p.processes_s + (is_known(p.nodes_s) ? p.nodes_s : 0) + p.moving_s + p.steps_s + p.random_s;
}

// The sentence on waiting members, as its figures; without one all are empty.
std::map<std::string, std::string> told(const Seen &s) {
    std::map<std::string, std::string> figures;
    for (const std::string &sentence : test::checked_words(s.run, 0))
        for (const test::ReadSentence &read : test::read_sentences(sentence))
            if (read.id == "members_wait") figures = read.figures;
    return figures;
}

void check_figures(const Seen &s) {
    const MemberGroup &group = s.group();
    CHECK(group.name == "atmosphere_*");
    CHECK(group.of.size() == s.made.settings.members);
    CHECK(group.meet_at == "assimilation");
    CHECK(group.meetings == s.truth.meetings);
    CHECK(group.cost_core_s == Approx(s.truth.cost_core_s).epsilon(1e-6));
    CHECK(group.cost_share == Approx(s.truth.share).epsilon(1e-6));
    CHECK(group.spread_s == Approx(s.truth.spread_s).epsilon(1e-6));
    for (std::size_t m = 0; m < group.of.size(); ++m)
        CHECK(group.of[m].is_cut == s.made.is_cut(m));
}

bool holds(const std::string &text, const std::string &part) {
    const bool is = text.find(part) != std::string::npos;
    if (!is) UNSCOPED_INFO(text);
    return is;
}

} // namespace

// Five members compute 2.5 s, the fourth 3 s, in 60 steps; the assimilation takes 0.5 s. 59 meetings count. In each
// the four others wait 0.5 s on 4 cores: 59 x 4 x 0.5 x 4 = 472 core s = 0.131 core hours. From the first arrival at
// the second meeting to the last one at the last: 58 x 3.5 + 0.5 = 203.5 s on 20 cores: 472 / 4070 = 11.6 %.
TEST_CASE("a simulated member that computes longer than four others") {
    const Seen s = seen({.imbalance = 0.1, .weight = [](std::size_t m, std::int64_t) { return m == 3 ? 1.2 : 1.0; }});
    CHECK(s.truth.cost_core_s == Approx(472));
    check_figures(s);
    const MemberGroup &group = s.group();
    CHECK(group.cost_share == Approx(472.0 / 4070));
    CHECK(group.spread_s == Approx(0.5));
    CHECK(group.slowest == 3);
    CHECK(group.fastest != 3);
    CHECK(group.of[3].step_s == Approx(3.0).epsilon(1e-6));
    CHECK(group.of[group.fastest].step_s == Approx(2.5).epsilon(1e-6));
    CHECK(group.of[3].late_s == Approx(0.5).epsilon(1e-4));
    CHECK(told(s) ==
          std::map<std::string, std::string>{{"name", "atmosphere_*"},
                                             {"count", "5"},
                                             {"share", "12 %"},
                                             {"hours", "0.131"},
                                             {"where", "at assimilation"},
                                             {"parts", "atmosphere_04 is nearly always last (100 % of it)"}});
}

// Who is slow by a fifth goes round: at each meeting another one, so that nobody is slower than the others in the
// mean.
TEST_CASE("simulated members of which each is the slowest in turn") {
    const Seen s = seen({.noise = 0.003, .weight = [](std::size_t m, std::int64_t step) {
                             return static_cast<std::int64_t>(m) == 3 * step % 5 ? 1.2 : 1.0;
                         }});
    check_figures(s);
    CHECK(s.group().parts.processes_s < 0.05 * sum_of_parts(s.group().parts));
    const std::string parts = told(s)["parts"];
    CHECK(parts.find("always") == std::string::npos);
    CHECK(parts.find("as a rule") == std::string::npos);
    CHECK(parts.find("atmosphere") == std::string::npos);
    CHECK(s.group().step_s.max < 1.02 * s.group().step_s.min);
}

// The slow place moves slowly through the members, once around in 30 steps of 120.
TEST_CASE("simulated lateness that goes from member to member") {
    const Seen s = seen({.members = 8, .steps = 120, .noise = 0.003, .weight = [](std::size_t m, std::int64_t step) {
                             const double turn = static_cast<double>(step) / 30 - static_cast<double>(m) / 8;
                             return 1.1 + 0.1 * std::cos(2 * 3.14159265358979 * turn);
                         }});
    check_figures(s);
    CHECK(s.group().parts.moving_s / sum_of_parts(s.group().parts) == Approx(share_of_reason(s, 1)).margin(0.05));
    CHECK(holds(told(s)["parts"], "how late each member is changes, and comes back every "));
    // 30 steps of 2.5 s and the assimilation's 0.5 s: the slowest takes 1.2 times as long, or 1.1 + 0.1 cos(pi / 8).
    CHECK(s.group().parts.period_s > 30 * 3.48);
    CHECK(s.group().parts.period_s < 30 * 3.52);
}

// 20 members of 4 processes on nodes of 16 cores: all on the second node take a tenth longer.
TEST_CASE("simulated members that are slow because their node is") {
    const Seen s = seen({.members = 20, .noise = 0.005, .cores_of_node = 16, .slow_node = 1, .node_factor = 1.1});
    check_figures(s);
    CHECK(s.group().parts.nodes_s / sum_of_parts(s.group().parts) == Approx(share_of_reason(s, 1)).margin(0.05));
    CHECK(holds(told(s)["parts"], "the members on node nid002 are late as a rule"));
    CHECK(told(s)["parts"].find("atmosphere") == std::string::npos);
}

// Each of five members has a node of its own, and that of the second is slow: who can tell the node from the member?
TEST_CASE("a slow node with one simulated member is not told as a slow node") {
    const Seen s = seen({.noise = 0.005, .slow_node = 1, .node_factor = 1.1});
    check_figures(s);
    CHECK(s.group().parts.why_no_nodes == "each member has nodes of its own");
    CHECK(told(s)["parts"].starts_with("atmosphere_02 is nearly always last ("));
}

// Members of 4 processes fill nodes of 5 cores: 0-3, 4|5-7, 8 9|10 11, 12-14|15, 16-19: the second to the fourth are
// cut. Of three on nodes of 8 cores none is; of three on nodes of 6 the second is.
TEST_CASE("simulated members that are cut across nodes") {
    const Seen one = seen({.members = 3, .noise = 0.005, .cores_of_node = 6, .cut_factor = 1.1});
    check_figures(one);
    CHECK(one.made.is_cut(1));
    CHECK(told(one)["parts"].starts_with("atmosphere_02 is nearly always last; it is cut across nodes nid001 and "
                                         "nid002, and no other is ("));
    const Seen none = seen({.members = 3, .noise = 0.03, .cores_of_node = 8, .cut_factor = 1.1});
    check_figures(none);
    CHECK(told(none)["parts"].find("cut") == std::string::npos);

    const Seen many = seen({.members = 20, .noise = 0.02, .cores_of_node = 5, .cut_factor = 1.1});
    check_figures(many);
    double cut = 0, whole = 0; // 20 x 4 cores in groups of 5: 0-3 and 16-19 are whole, 8 of 20 members
    for (std::size_t m = 0; m < 20; ++m)
        (many.made.is_cut(m) ? cut : whole) += many.truth.late_s[m];
    CHECK(many.group().cut_later_s == Approx(cut / 12 - whole / 8).epsilon(0.01));
    CHECK(many.group().cut_explains);
    CHECK(holds(told(many)["parts"], "; the 12 members that are cut across more nodes than others come "));
    // The first alone is slow, and the cuts cost nothing.
    const Seen innocent =
        seen({.members = 20, .noise = 0.02, .cores_of_node = 5, .weight = [](std::size_t m, std::int64_t) {
                  return m == 0 ? 1.1 : 1.0;
              }});
    check_figures(innocent);
    CHECK_FALSE(innocent.group().cut_explains);
    CHECK(told(innocent)["parts"].find("cut") == std::string::npos);
    CHECK(holds(told(innocent)["parts"], "atmosphere_01"));
}

// Members of 5 processes fill 5 nodes of 8 cores: 0-4, 5-7|8 9, 10-14, 15|16-19, 20-23|24, 25-29, 30 31|32-34, 35-39.
// The second, fourth, fifth and seventh are cut and take 3.25 s for a step of 2.5 s. There are 70 ways to choose 4 of
// 8. The cut ones chain all nodes: 0 and 1, 1 and 2, 2 and 3, 3 and 4.
TEST_CASE("four of eight simulated members that are cut") {
    const EnsembleSettings settings{.processes = 5, .noise = 0.02, .cores_of_node = 8, .cut_factor = 1.3};
    EnsembleSettings eight = settings;
    eight.members = 8;
    const Seen s = seen(eight);
    check_figures(s);
    for (const std::size_t m : {1U, 3U, 4U, 6U})
        CHECK(s.made.is_cut(m));
    CHECK(s.group().cut_explains);
    CHECK(s.group().cut_later_s == Approx(0.75).margin(0.05));
    CHECK(s.group().parts.why_no_nodes == "members on several nodes join its 5 nodes into one group, and it takes "
                                          "three to tell nodes from members");
    CHECK(holds(told(s)["parts"], "the same members are late as a rule ("));
    CHECK(holds(told(s)["parts"], "; the 4 members that are cut across more nodes than others come 0.7"));
    eight.cut_factor = 1;
    CHECK_FALSE(seen(eight).group().cut_explains);
}

namespace {

enum class Reason { chance, member, node, node_in_chain, cut, in_turn, moving, some_meetings };
constexpr std::size_t reasons = 8;

struct Drawn {
    Reason reason = Reason::chance;
    std::size_t slow = 0; // Reason::member
    EnsembleSettings settings;
};

Drawn drawn(std::uint64_t seed) {
    Random random(seed * 7919 + 11);
    Drawn d;
    d.reason = static_cast<Reason>(seed % reasons);
    EnsembleSettings &s = d.settings;
    s.members = static_cast<std::size_t>(random.whole(3, 24));
    s.steps = random.whole(24, 100);
    s.processes = random.whole(1, 8);
    s.every = random.chance(0.3) ? 2 : 1;
    s.noise = random.log_uniform(0.002, 0.05);
    s.imbalance = random.chance(0.5) ? 0 : random.uniform(0, 0.2);
    s.assimilation_s = random.uniform(0, 2);
    const double more = random.uniform(0.05, 0.4);
    d.slow = static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(s.members) - 1));
    const auto members = static_cast<std::int64_t>(s.members);
    s.cores_of_node = s.processes * random.whole(1, 4);
    if (random.chance(0.4)) s.cores_of_node += random.whole(1, s.processes);
    const std::int64_t nodes = (members * s.processes + s.cores_of_node - 1) / s.cores_of_node;
    switch (d.reason) {
    case Reason::chance:
        break;
    case Reason::member:
        s.weight = [slow = d.slow, more](std::size_t m, std::int64_t) { return m == slow ? 1 + more : 1.0; };
        break;
    case Reason::node:
        s.cores_of_node = s.processes * random.whole(2, 4);
        s.members = static_cast<std::size_t>(s.cores_of_node / s.processes * random.whole(4, 6));
        s.slow_node = static_cast<std::size_t>(random.whole(0, 3));
        s.node_factor = 1 + more;
        break;
    case Reason::node_in_chain:
        s.slow_node = static_cast<std::size_t>(random.whole(0, nodes - 1));
        s.node_factor = 1 + more;
        break;
    case Reason::cut:
        s.processes = random.whole(2, 8);
        s.cores_of_node = s.processes + random.whole(1, 2 * s.processes);
        s.cut_factor = 1 + more;
        break;
    case Reason::in_turn:
        s.weight = [more, members](std::size_t m, std::int64_t step) {
            return static_cast<std::int64_t>(m) == step % members ? 1 + more : 1.0;
        };
        break;
    case Reason::moving:
        s.steps = 100;
        s.weight = [more, count = s.members](std::size_t m, std::int64_t step) {
            const double turn = static_cast<double>(step) / 25 - static_cast<double>(m) / static_cast<double>(count);
            return 1 + more * (1 + std::cos(2 * 3.14159265358979 * turn)) / 2;
        };
        break;
    case Reason::some_meetings:
        s.every = 1;
        s.weight = [more, slow = d.slow](std::size_t m, std::int64_t step) {
            return m == slow && step % 8 == 3 ? 1 + 2 * more : 1.0;
        };
        break;
    }
    return d;
}

// The member that is named, "" without one.
std::string named_member(const std::string &parts) {
    const std::size_t at = parts.find("atmosphere_");
    return at == std::string::npos ? "" : parts.substr(at, 13);
}

std::string name_of(std::size_t member) {
    return (member < 9 ? "atmosphere_0" : "atmosphere_") + std::to_string(member + 1);
}

std::size_t number_of(const std::string &member) {
    return static_cast<std::size_t>(std::stoi(member.substr(11))) - 1;
}

// What the sentence says that is not so, in words; empty: nothing.
std::string what_is_untrue(const Drawn &d, const Seen &s, const std::string &parts) {
    if (parts.empty()) return "";
    const std::string member = named_member(parts);
    const auto has = [&](const char *words) { return parts.find(words) != std::string::npos; };
    if (parts == say(Sentence::part_all_random)) return ""; // said where the members decide as a whole
    if (d.reason == Reason::chance) return "it is chance";
    if (!member.empty()) {
        const std::size_t last = s.truth.mostly_last();
        if (member != name_of(last) && s.truth.last[last] > s.truth.last[number_of(member)] + 1e-6)
            return "mostly last is " + name_of(last);
        if (has("nearly always last") != (s.truth.last[last] >= 0.9)) return "it is last for another share";
        if (d.reason == Reason::member && last != d.slow) return "slow is " + name_of(d.slow);
        if (d.reason == Reason::in_turn || d.reason == Reason::moving) return "it is slow for a time only";
        if (has("cut") && d.reason != Reason::cut && !has("and no other is")) return "no member is cut and slow";
    }
    if (has("the members on")) {
        const bool by_node = d.reason == Reason::node || d.reason == Reason::node_in_chain;
        if (!by_node && d.reason != Reason::cut) return "no node is slow";
        if (by_node && !holds(parts, node_name(static_cast<std::int32_t>(s.made.settings.slow_node))))
            return "another node is slow";
    }
    // What comes in one of eight meetings comes back after a period, too.
    if (has("how late each member is") && !has("comes back") && d.reason != Reason::moving &&
        d.reason != Reason::in_turn)
        return "nothing changes slowly";
    if (has("much later than usual") && d.reason != Reason::some_meetings && d.reason != Reason::in_turn)
        return "no meeting is unusual";
    return "";
}

// How often each reason was told.
std::map<Reason, std::pair<int, int>> check_ensembles(std::uint64_t count) {
    std::map<Reason, std::pair<int, int>> of_reason; // told, all that cost something
    const std::uint64_t first = from_environment("CPL_LB_SIMULATED_FIRST", 1);
    const char *const words[reasons] = {"",
                                        "atmosphere_",
                                        "the members on node",
                                        "",
                                        "cut across",
                                        "",
                                        "each member is changes",
                                        "much later than usual"};
    for (std::uint64_t seed = first; seed < first + count; ++seed) {
        const Drawn d = drawn(seed);
        Seen s = seen(d.settings, seed);
        Random random(seed);
        const char *const rules[] = {"gpu=nid001,cpu=nid0*", "gpu=nid0[02-99]", "fat=nid9*, thin=nid0[01,20-30]"};
        for (const std::string &unused : name_kinds(read_node_kinds(rules[random.whole(0, 2)]), s.run.meters.nodes))
            s.run.remarks.push_back(say(Sentence::remark_kind_of_no_node, {{"nodes", unused}}));
        INFO("seed " << seed << ", reason " << static_cast<int>(d.reason));
        check_figures(s);
        const std::string parts = told(s)["parts"];
        INFO(parts);
        const std::string untrue = what_is_untrue(d, s, parts);
        INFO(untrue);
        CHECK(untrue.empty());
        const double reason = d.reason == Reason::chance ? 0 : share_of_reason(s, seed);
        if (tells_figures()) {
            std::printf("%d: %d members of %d on nodes of %d, reason %d (%.2f of %.3f): %s\n", static_cast<int>(seed),
                        static_cast<int>(d.settings.members), static_cast<int>(d.settings.processes),
                        static_cast<int>(d.settings.cores_of_node), static_cast<int>(d.reason), reason, s.truth.share,
                        parts.c_str());
        }
        if (!(s.truth.share >= 0.02) || !(reason >= 0.5)) continue;
        auto &[said, all] = of_reason[d.reason];
        ++all;
        said += parts.find(words[static_cast<std::size_t>(d.reason)]) != std::string::npos ? 1 : 0;
    }
    return of_reason;
}

} // namespace

// The last of eleven members on nodes for two is alone on its node, and slow by a third. The noise of this seed makes
// nodes differ by more than chance: it must still be told as the member, not as the node.
TEST_CASE("a slow simulated member that is alone on its node is told as a member") {
    const Drawn d = drawn(73);
    CHECK(d.slow == 10);
    const Seen s = seen(d.settings, 73);
    CHECK(s.made.nodes[10] == std::vector<std::int32_t>{5});
    CHECK(s.made.nodes[9] == std::vector<std::int32_t>{4});
    CHECK(s.group().parts.nodes_s == 0);
    CHECK(s.group().parts.late_node.empty());
    CHECK(told(s)["parts"].starts_with("atmosphere_11 is nearly always last ("));
}

// Hundreds by CPL_LB_SIMULATED_MODELS: then each reason that costs most of it is mostly told, too.
TEST_CASE("what is said of random ensembles is true") {
    const std::uint64_t models = from_environment("CPL_LB_SIMULATED_MODELS", 8);
    const auto of_reason = check_ensembles(models);
    CHECK(of_reason.size() >= 3);
    for (const auto &[reason, counts] : of_reason) {
        INFO("reason " << static_cast<int>(reason));
        if (tells_figures())
            std::printf("reason %d: told %d of %d\n", static_cast<int>(reason), counts.first, counts.second);
        CHECK((models < 100 || counts.first >= 0.7 * counts.second));
    }
}
