// cpl-lb check: thresholds for batch scripts and CI.
#include "io/files/file_handle.hpp"
#include "io/files/result_file.hpp"
#include "io/json/json_tree.hpp"
#include "report/format.hpp"
#include "run/loaded/load_run.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"
#include "tools/check/check_rules.hpp"
#include "tools/commands.hpp"
#include "tools/run_options.hpp"
#include "tools/written_files.hpp"

#include <algorithm>
#include <memory>

namespace cpl_lb {
namespace {

struct CheckOptions {
    std::string directory, rules, junit;
    TimelineHints hints;
    bool json = false;
};

std::string as_text(const std::vector<CheckedRule> &checked) {
    std::string text;
    for (const CheckedRule &one : checked)
        text += (one.kept() ? "  kept: " : "BROKEN: ") + in_words(one) + "\n";
    const auto broken = std::ranges::count(checked, false, &CheckedRule::kept);
    const Sentence sentence = checked.size() > 1 ? (broken == 0 ? Sentence::rules_kept : Sentence::rules_broken)
                              : broken == 0      ? Sentence::rule_kept
                                                 : Sentence::rule_broken;
    return text +
           say(sentence, {{"broken", std::to_string(broken)},
                          {"all", std::to_string(checked.size())},
                          {"are", word_for(broken, "is", "are")}}) +
           "\n";
}

std::string as_json(const std::vector<CheckedRule> &checked, bool kept) {
    JsonTree json;
    json["schema"] = "cpl_lb_check/1";
    json["kept"] = kept;
    json["rules"] = JsonTree::array();
    for (const CheckedRule &one : checked) {
        json["rules"].push_back({{"component", JsonTree::text(one.rule.component)},
                                 {"figure", one.rule.figure},
                                 {"value", one.value},
                                 {"process", one.process < 0 ? JsonTree() : JsonTree(one.process)},
                                 {"at_least", one.rule.at_least},
                                 {"at_most", one.rule.at_most},
                                 {"kept", one.kept()},
                                 {"line", one.rule.line}});
    }
    return json.dump(2) + "\n";
}

std::string as_junit(const std::vector<CheckedRule> &checked) {
    std::vector<JunitCase> cases;
    cases.reserve(checked.size());
    for (const CheckedRule &one : checked) {
        const std::string component = one.rule.component.empty() ? "run" : one.rule.component;
        cases.push_back({component + " " + one.rule.figure, one.kept() ? "" : in_words(one), "", in_words(one)});
    }
    return junit_of("cpl-lb check", cases);
}

void run_check(const CheckOptions &options) {
    const CoupledRun run = load_figures(options.directory, options.hints, progress_of);
    const std::vector<CheckedRule> checked =
        check(run, read_rules(read_text_file(options.rules), options.rules, run));
    const bool kept = std::ranges::all_of(checked, &CheckedRule::kept);
    if (!options.junit.empty()) write_result_file(options.junit, as_junit(checked));
    print(options.json ? as_json(checked, kept) : as_text(checked));
    if (!kept) throw ThresholdCrossed();
}

} // namespace

void add_check_command(cli::App &app) {
    cli::App *command =
        app.add_subcommand("check", "Checks a run against rules, for batch scripts and CI\nThe rules stand in a file "
                                    "(waiting, speed, cost, memory). Exit status 3 if the run breaks one.");
    const auto o = std::make_shared<CheckOptions>();
    command->add_option("DIR", o->directory, "folder with results")->required();
    command->add_option("--rules", o->rules, "file of rules (TOML)")->required();
    add_timeline_options(*command, o->hints);
    command->add_option("--junit", o->junit, "write each rule as a test into this file (JUnit), for CI");
    command->add_flag("--json", o->json, "print JSON, for programs");
    command->callback([o] { run_check(*o); });
}

} // namespace cpl_lb
