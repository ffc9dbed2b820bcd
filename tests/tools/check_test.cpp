// cpl-lb check as a user runs it, on results written from literals, and on random ones.
#include "tests/inside_run.hpp"
#include "tests/report/example_run.hpp"
#include "tests/report/sentence_check.hpp"
#include "tests/simulator/simulator.hpp"
#include "tests/tools/told.hpp"

#include <cmath>
#include <map>
#include <regex>
#include <sstream>

using namespace cpl_lb;
using namespace cpl_lb::test;
using nlohmann::json;

namespace {

// An ocean that waits 23 of 100 s for an atmosphere; 4 SYPD; 512 MiB for the largest process.
std::string write_run(const TemporaryFolder &folder) {
    CoupledRun run;
    run.component_names = {"ocean", "atmosphere"};
    run.components = {component("ocean", 1, 0, 10, 100'000'000'000),
                      component("atmosphere", 2, 10, 10, 100'000'000'000)};
    run.components[0].balance = balance(77, 23, {{2, 23, 0}});
    run.components[1].balance = balance(100, 0, {{1, 0, 0}});
    run.components.push_back(component("xios", 3, 20, 2, 100'000'000'000));
    run.component_names.emplace_back("xios");
    run.components[2].balance = balance(1, 99, {{1, 99, 0}});
    run.components[2].balance.is_io_server = true;
    run.cpmip.sypd = 4;
    run.meters.hwm_B = {100e6, 512.0 * 1024 * 1024, 1e9, 20};
    return written(folder, ".", run);
}

Result check(const TemporaryFolder &folder, const std::string &rules, const std::string &options = "") {
    const std::string path = folder / "rules.toml";
    write_result_file(path, rules);
    return command(folder, "check " + write_run(folder) + " --rules " + path + " " + options);
}

} // namespace

TEST_CASE("rules that are kept, and rules that are broken") {
    const TemporaryFolder folder;
    const auto kept = check(folder, "[run]\nsypd.at_least = 3.9\nmemory_MiB_per_process.at_most = 512\n"
                                    "[component.ocean]\nwaiting_percent = { at_least = 20, at_most = 24 }\n");
    INFO(kept.output << kept.errors);
    CHECK(kept.status == 0);
    shows(kept.output, "All 3 rules are kept.");
    const auto broken = check(folder, "[run]\nsypd.at_least = 5\n[each_component]\nwaiting_percent.at_most = 20\n");
    CHECK(broken.status == 3);
    shows(broken.output, "BROKEN: the run's sypd is 4 (at least 5 is asked for)",
          "BROKEN: ocean's waiting_percent is 23 (at most 20 is asked for)",
          "  kept: atmosphere's waiting_percent is 0", "2 of 3 rules are broken.");
    CHECK_THAT(check(folder, "[run]\nsypd.at_least = 3.9\n").output, Catch::EndsWith("\nThe rule is kept.\n"));
    CHECK_THAT(check(folder, "[run]\nsypd.at_least = 5\n").output, Catch::EndsWith("\nThe rule is broken.\n"));
    CHECK_THAT(check(folder, "[run]\nsypd.at_least = 5\n[component.ocean]\nwaiting_percent.at_most = 24\n").output,
               Catch::EndsWith("\n1 of 2 rules is broken.\n"));
}

TEST_CASE("a figure that is not known does not pass in silence") {
    const TemporaryFolder folder;
    const auto told = check(folder, "[run]\nchsy.at_most = 100\n");
    CHECK(told.status == 3);
    shows(told.output, "the run's chsy is not known (at most 100 is asked for)");
    CHECK(check(folder, "[run]\nchsy = { at_most = 100, may_be_unknown = true }\n").status == 0);
}

TEST_CASE("for programs: json, and a test for each rule") {
    const TemporaryFolder folder;
    const std::string junit = folder / "junit.xml";
    const auto r = check(folder, "[run]\nsypd.at_least = 5\nwall_s = { at_most = 10, may_be_unknown = true }\n",
                         "--json --junit " + junit);
    CHECK(r.status == 3);
    const json answer = json::parse(r.output);
    CHECK(answer.at("kept") == false);
    CHECK(answer.at("rules").at(0).at("figure") == "sypd");
    CHECK(answer.at("rules").at(0).at("value") == 4);
    CHECK(answer.at("rules").at(1).at("kept") == true);
    shows(contents(junit), R"(tests="2" failures="1")");
}

TEST_CASE("rules of what goes on inside a component name the late process") {
    const TemporaryFolder folder;
    CoupledRun run = inside_run(); // three processes, 60 s of core time, 3 s of waits for process 0
    Component &atmosphere = run.components[1];
    add_traffic(atmosphere);
    atmosphere.balance.step_count = 20; // 420 messages, 4 MiB
    write_result_file(folder / "load_balancing_info.json", info_json(run));
    const std::string rules = folder / "rules.toml";
    const auto asked = [&](const std::string &text, const std::string &options = "") {
        write_result_file(rules, "[component.atmosphere]\n" + text);
        return command(folder, "check " + (folder / ".") + " --rules " + rules + " " + options);
    };
    const auto kept = asked("inside_messages_per_step.at_most = 21\ninside_MiB_per_step.at_most = 0.2\n"
                            "late_sender_percent.at_most = 5\n");
    INFO(kept.output << kept.errors);
    CHECK(kept.status == 0);
    shows(kept.output, "atmosphere's inside_messages_per_step is 21 (at most 21 is asked for)",
          "inside_MiB_per_step is 0.2 (at most");
    const auto late = asked("late_sender_percent.at_most = 4.9\n");
    CHECK(late.status == 3);
    shows(late.output, "BROKEN: atmosphere's late_sender_percent is 5, in waits for process 0 "
                       "(at most 4.9 is asked for)");
    const json named = json::parse(asked("late_sender_percent.at_most = 4.9\n", "--json").output).at("rules").at(0);
    CHECK(named.at("process") == 0);
    CHECK(named.at("value").get<double>() == Approx(5));
    const json messages = json::parse(asked("inside_messages_per_step.at_most = 20\n", "--json").output);
    CHECK(messages.at("rules").at(0).at("process").is_null());
    CHECK(messages.at("kept") == false);
    // MPI was not recorded in the ocean.
    write_result_file(rules, "[component.ocean]\nlate_sender_percent.at_most = 50\n");
    const auto unknown = command(folder, "check " + (folder / ".") + " --rules " + rules);
    CHECK(unknown.status == 3);
    shows(unknown.output, "late_sender_percent is not known (at most 50 is asked for)");
}

TEST_CASE("bad rules are one line with file, line and name") {
    const TemporaryFolder folder;
    const auto call = [&](const std::string &rules) {
        return "check " + write_run(folder) + " --rules " + write(folder, "rules.toml", rules);
    };
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"[run]\n\nspeed.at_least = 5\n", "rules.toml:3: run.speed: is no figure: there are sypd, "},
        {"[run]\nsypd.above = 5\n", "rules.toml:2: run.sypd.above"},
        {"[run]\nsypd = 5\n", "rules.toml:2"},
        {"[run]\nsypd.may_be_unknown = true\n", "at_least or at_most is missing"},
        {"[run]\nsypd = { at_least = 10, at_most = 5 }\n",
         "rules.toml:2: run.sypd: at_least 10 and at_most 5 exclude each other"},
        {"[component.ice]\nstep_s.at_most = 5\n", "component.ice: is no component of the run"},
        {"[runs]\nsypd.at_least = 5\n", "is no table of rules"},
        {"", "holds no rule"},
        {"[run\n", "rules.toml:1"},
    };
    each_refused(folder, call, 1, cases);
    CHECK(command(folder, "check " + write_run(folder) + " --rules " + (folder / "none.toml")).status == 1);
    CHECK(refused(folder, "check " + write_run(folder) + " --rules " + folder.path()) ==
          "cpl-lb: " + folder.path() + ": cannot read: it is a folder, and a file belongs here\n");
    // One value is no contradiction.
    CHECK(check(folder, "[run]\nsypd = { at_least = 4, at_most = 4 }\n").status == 0);
}

namespace {

using simulator::Random;

// A rule, and the figure that it is about, worked out here; NaN: not known.
struct Asked {
    double value = unknown, at_least = unknown, at_most = unknown;
    bool may_be_unknown = false;

    [[nodiscard]] bool kept() const {
        return std::isnan(value) ? may_be_unknown : !(value < at_least) && !(value > at_most);
    }
};
using Rules = std::map<std::string, Asked>; // by "the run's sypd", "ocean's waiting_percent"

// Writes a random run and a file of random rules about it.
Rules random_rules(const TemporaryFolder &folder, Random &random, std::string &text) {
    CoupledRun run;
    run.component_names = {"ocean", "atmosphere"};
    Rules rules;
    const auto ask = [&](const std::string &whose, const std::string &table, const std::string &figure,
                         double value) {
        if (random.chance(0.4)) return;
        Asked asked{value, unknown, unknown, random.chance(0.3)};
        const double near = std::isnan(value) ? 1 : value;
        if (random.chance(0.5)) asked.at_least = near * random.uniform(0.5, 1.5);
        if (std::isnan(asked.at_least) || random.chance(0.3))
            asked.at_most = near * random.uniform(1.5, 2) - near * random.uniform(0, 1);
        if (asked.at_least > asked.at_most) std::swap(asked.at_least, asked.at_most);
        std::ostringstream line;
        line.precision(17);
        line << "[" << table << "]\n" << figure << " = { ";
        if (!std::isnan(asked.at_least)) line << "at_least = " << asked.at_least << ", ";
        if (!std::isnan(asked.at_most)) line << "at_most = " << asked.at_most << ", ";
        line << "may_be_unknown = " << (asked.may_be_unknown ? "true" : "false") << " }\n";
        text += line.str();
        rules[whose + "'s " + figure] = asked;
    };
    for (std::int32_t id = 1; id <= 2; ++id) {
        const std::string name = id == 1 ? "ocean" : "atmosphere";
        run.components.push_back(component(name, id, 10 * (id - 1), 10, 100'000'000'000));
        Component &c = run.components.back();
        const double computing_s = random.uniform(1, 90), waiting_s = random.uniform(1, 50);
        c.balance = balance(computing_s, waiting_s, {{3 - id, waiting_s, 0}});
        c.balance.step_count = random.whole(3, 50);
        const auto steps = static_cast<double>(c.balance.step_count);
        const double loop_s = c.balance.loop_s;
        const char *const figures[] = {"waiting_percent", "step_s", "waiting_s_per_step"};
        const double values[] = {100 * waiting_s / loop_s, loop_s / steps, waiting_s / steps};
        const auto which = static_cast<std::size_t>(random.whole(0, 2)); // a table may stand once
        ask(name, "component." + name, figures[which], values[which]);
    }
    if (random.chance(0.7)) run.cpmip.sypd = random.log_uniform(0.1, 100);
    ask("the run", "run", "sypd", run.cpmip.sypd);
    write_result_file(folder / "load_balancing_info.json", info_json(run));
    return rules;
}

// Each line against its rule, and what is said of all.
void check_answer(const Rules &rules, const Result &r) {
    static const std::regex bound("at (least|most) (\\S+?)(?=,|$)");
    std::istringstream lines(r.output);
    std::size_t told = 0, broken = 0;
    for (std::string line; std::getline(lines, line);) {
        const bool kept = line.starts_with("  kept: "), is_rule = kept || line.starts_with("BROKEN: ");
        const auto read = read_sentences(is_rule ? line.substr(8) : line);
        REQUIRE(read.size() == 1);
        const auto &f = read.front().figures;
        if (!is_rule) {
            const bool one = rules.size() == 1;
            CHECK(read.front().id == (broken == 0 ? (one ? "rule_kept" : "rules_kept")
                                      : one       ? "rule_broken"
                                                  : "rules_broken"));
            if (!one) CHECK(f.at("all") == std::to_string(rules.size()));
            if (!one && broken > 0) CHECK(f.at("broken") == std::to_string(broken));
            continue;
        }
        CHECK(read.front().id == "rule");
        const Asked &asked = rules.at(f.at("figure"));
        ++told;
        broken += kept ? 0 : 1;
        CHECK(kept == asked.kept());
        if (std::isnan(asked.value))
            CHECK(f.at("value") == "not known");
        else
            CHECK(std::stod(f.at("value")) == Approx(asked.value).epsilon(6e-4));
        const std::string &allowed = f.at("allowed");
        std::size_t bounds = 0;
        for (std::sregex_iterator at(allowed.begin(), allowed.end(), bound), end; at != end; ++at, ++bounds)
            CHECK(std::stod((*at)[2].str()) ==
                  Approx((*at)[1] == "least" ? asked.at_least : asked.at_most).epsilon(1e-5));
        CHECK(bounds == (std::isnan(asked.at_least) ? 0U : 1U) + (std::isnan(asked.at_most) ? 0U : 1U));
    }
    CHECK(told == rules.size());
    CHECK(r.status == (broken == 0 ? 0 : 3));
}

} // namespace

TEST_CASE("each sentence about random runs and random rules is true") {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const TemporaryFolder folder;
        Random random(seed * 7'919);
        std::string text;
        const Rules rules = random_rules(folder, random, text);
        if (rules.empty()) continue;
        write_result_file(folder / "rules.toml", text);
        const auto r = command(folder, "check " + (folder / ".") + " --rules " + (folder / "rules.toml"));
        INFO("seed " << seed << "\n" << text << r.output << r.errors);
        check_answer(rules, r);
    }
}
