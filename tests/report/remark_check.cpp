// Conditions of remarks, a second time.
#include "tests/report/sentence_check.hpp"

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>

namespace cpl_lb::test {
namespace {

using Figures = std::map<std::string, std::string>;

// "... (3 times on 2 of 8 processes, first 5, ocean)": the words before it.
std::string without_place(const std::string &remark) {
    static const std::regex place(
        R"( \((?:\d+ times,? ?)?(?:[0-9.e+-]+ s, )?on (?:process|\d+ (?:of \d+ )?processes).*\)$)");
    return std::regex_replace(remark, place, "");
}

std::int64_t number_in(const std::string &text) {
    return std::stoll(text); // "3 messages"
}

// "nid0[01-03,07]", "nid001*" as a regular expression of the names that it means.
std::regex names_meant(const std::string &pattern) {
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '*') {
            text += ".*";
        } else if (pattern[i] != '[') {
            text += std::isalnum(static_cast<unsigned char>(pattern[i])) != 0 ? "" : R"(\)";
            text += pattern[i];
        } else {
            const std::size_t end = pattern.find(']', i);
            std::stringstream ranges(pattern.substr(i + 1, end - i - 1));
            std::string all;
            for (std::string range; std::getline(ranges, range, ',');) {
                const std::string first = range.substr(0, range.find('-')), last = range.substr(range.find('-') + 1);
                for (int n = std::stoi(first); n <= std::stoi(last); ++n) {
                    std::string number = std::to_string(n);
                    number.insert(0, first.size() - std::min(first.size(), number.size()), '0');
                    all += (all.empty() ? "" : "|") + number;
                }
            }
            text += "(" + all + ")";
            i = end;
        }
    }
    return std::regex(text);
}

bool holds(const CoupledRun &run, const std::string &id, const Figures &f) {
    const auto component = [&](const std::string &name) {
        return std::find_if(run.components.begin(), run.components.end(),
                            [&](const Component &c) { return c.name == name; });
    };
    const auto there = [&](const std::string &name) { return component(name) != run.components.end(); };
    const bool recovered = run.run.origin == Origin::recovered;
    const auto is = [&](auto... ids) { return ((id == ids) || ...); };
    if (is("remark_received_before_sent"))
        return run.clock.order_violations > 0 && number_in(f.at("gets")) == run.clock.order_violations;
    if (is("remark_no_time_left")) return run.balance.why_no_gain == f.at("why");
    if (is("remark_too_many_exchanges")) {
        return std::any_of(run.components.begin(), run.components.end(),
                           [](const Component &c) { return c.table_left_out; });
    }
    if (is("remark_other_threads")) return run.run.elsewhere_calls > 0;
    if (is("remark_never_received")) return number_in(f.at("messages")) > 0;
    if (is("remark_shifted")) return there(f.at("component"));
    if (is("remark_no_timeline")) return !there(f.at("name"));
    if (is("remark_single_precision")) return there(f.at("name"));
    if (is("remark_other_runs")) return f.at("run") == "'" + run.run.id + "'";
    if (is("remark_other_json")) return f.at("run") != "'" + run.run.id + "'";
    if (is("remark_recovered"))
        return recovered && number_in(f.at("all")) - number_in(f.at("found")) == run.run.missing_count;
    if (is("remark_no_spool")) return recovered && number_in(f.at("processes")) == run.run.missing_count;
    if (is("remark_part_of_component")) {
        const auto c = component(f.at("name"));
        return c != run.components.end() && number_in(f.at("found")) < number_in(f.at("all")) &&
               std::to_string(c->ranks.size()) == f.at("found");
    }
    if (is("remark_not_in_spools", "remark_inside_not_known")) return recovered;
    if (is("remark_members")) {
        const std::string &why = f.at("why"), &choice = run.run.members;
        const std::string few = "fewer than two components are called ";
        if (!why.starts_with(few)) return choice.find(why.substr(1, why.find('\'', 1) - 1)) != std::string::npos;
        const std::regex names = names_meant(why.substr(few.size()));
        return std::count_if(run.components.begin(), run.components.end(),
                             [&](const Component &c) { return std::regex_match(c.name, names); }) < 2;
    }
    if (is("remark_no_drift")) return recovered && number_in(f.at("nodes")) > 1;
    return id.starts_with("remark_");
}

} // namespace

std::vector<std::string> what_is_false_in_remarks(const CoupledRun &run) {
    std::vector<std::string> wrong;
    std::set<std::string> said;
    for (const std::string &remark : run.remarks) {
        const std::vector<ReadSentence> read = read_sentences(without_place(remark));
        if (read.size() != 1) wrong.push_back("not in the table: " + remark);
        for (const ReadSentence &one : read) {
            said.insert(one.id);
            if (!holds(run, one.id, one.figures)) wrong.push_back(one.id + ": " + remark);
        }
    }
    if (run.clock.order_violations > 0 && !said.contains("remark_received_before_sent"))
        wrong.emplace_back("fields arrived before they were sent, and no remark says so");
    if (run.run.elsewhere_calls > 0 && !said.contains("remark_other_threads"))
        wrong.emplace_back("other threads called MPI, and no remark says so");
    return wrong;
}

} // namespace cpl_lb::test
