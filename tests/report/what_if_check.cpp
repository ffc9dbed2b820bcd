// Conditions of the sentences about changes, a second time.
#include "tests/report/what_if_check.hpp"

#include "tests/report/answer_figures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>

namespace cpl_lb::test {
namespace {

using nlohmann::json;

class WhatIfChecker {
public:
    explicit WhatIfChecker(const json &answer) : answer_(answer) {}

    [[nodiscard]] std::optional<std::vector<std::string>> check(const ReadSentence &sentence);

private:
    void expect(bool holds, const std::string &what) {
        if (!holds) wrong_.push_back(what);
    }
    void check_what_if(const Figures &f);
    void check_in_turn(const Figures &f);
    void check_side_by_side(const Figures &f);
    void check_slow(const std::string &words, const char *names, const char *share);

    const json &answer_;
    std::vector<std::string> wrong_;
};

void WhatIfChecker::check_what_if(const Figures &f) {
    const double measured = number(answer_, "measured_s"), predicted = number(answer_, "predicted_s");
    expect(is_number(f.at("predicted"), predicted) && is_number(f.at("measured"), measured), "another time");
    expect(std::abs(std::stod(f.at("times")) - measured / predicted) < 0.00051 * (1 + measured / predicted),
           "another ratio");
    expect(std::abs(number(answer_, "ratio") * measured - predicted) < 1e-6 * measured,
           "the ratio is not that of both");
    const bool known = answer_.at("ratio_error").is_number();
    static const std::regex range("between (\\S+) and (\\S+) s");
    std::smatch match;
    if (!std::regex_search(f.at("range"), match, range)) return expect(!known, "no range");
    expect(known, "a range of what is not known");
    expect(std::stod(match[1].str()) <= predicted * 1.001 && std::stod(match[2].str()) >= predicted * 0.999,
           "it lies outside of its own range");
}

// Each on the cores of all of them.
void WhatIfChecker::check_in_turn(const Figures &f) {
    bool any = false;
    for (const json &group : answer_.at("in_turn")) {
        double cores = 0;
        bool named = true;
        for (const json &name : group)
            named = named && f.at("names").find(name.get<std::string>()) != std::string::npos;
        if (!named) continue;
        any = true;
        for (const json &c : answer_.at("components"))
            if (std::find(group.begin(), group.end(), c.at("name")) != group.end())
                cores += number(c, "measured_cores");
        expect(is_number(f.at("cores"), cores), "other cores than all of theirs");
    }
    expect(any, "no such group is in turn");
}

// No more cores than the one that has most had.
void WhatIfChecker::check_side_by_side(const Figures &f) {
    double split = 0, shared = 0;
    for (const json &c : answer_.at("components")) {
        const std::string name = c.at("name").get<std::string>() + "=";
        if (f.at("split").find(name) == std::string::npos) continue;
        split += number(c, "computes_on_cores");
        shared = std::max(shared, number(c, "measured_cores"));
    }
    expect(split > 0 && split <= shared, "more cores than they share");
}

// By the shares of the critical path: of one, it is the largest by 5 points.
void WhatIfChecker::check_slow(const std::string &words, const char *names, const char *share) {
    std::map<std::string, double> shares;
    double largest = 0, second = 0;
    for (const json &c : answer_.at("components")) {
        const double one = number(c, share);
        shares[c.at("name").get<std::string>()] = one;
        second = std::max(second, std::min(one, largest));
        largest = std::max(largest, one);
    }
    const auto named = answer_.at(names).get<std::vector<std::string>>();
    for (const std::string &name : named)
        expect(words.find(name) != std::string::npos, name + " is not named");
    if (named.empty()) {
        expect(words.starts_with("none clearly") && largest - second < 0.0501, "none, and one is");
    } else if (named.size() == 1) {
        expect(words.find("about equally") == std::string::npos, "one alone is as slow as others");
        expect(largest - shares.at(named[0]) < 1e-9 && largest - second > 0.0499, "another is the bottleneck");
    } else {
        expect(words.ends_with("about equally"), "several are not said to be as slow");
    }
}

std::optional<std::vector<std::string>> WhatIfChecker::check(const ReadSentence &sentence) {
    const Figures &f = sentence.figures;
    const std::string &id = sentence.id;
    if (id == "what_if") {
        check_what_if(f);
    } else if (id == "what_if_slow") {
        check_slow(f.at("then"), "slow_side", "critical_share");
        check_slow(f.at("now"), "measured_slow_side", "measured_critical_share");
    } else if (id == "what_if_in_turn") {
        check_in_turn(f);
    } else if (id == "what_if_side_by_side") {
        check_side_by_side(f);
    } else if (id == "what_if_year") {
        expect(is_number(f.at("core_hours"), number(answer_, "year_core_hours")), "another cost");
        expect(is_number(f.at("measured_core_hours"), number(answer_, "measured_year_core_hours")),
               "another cost now");
    } else if (id == "what_if_no_year") {
        expect(answer_.at("year_s").is_null(), "a year is known");
    } else if (id == "what_if_each") {
        expect(is_number(f.at("measured"), number(answer_, "measured_s")), "another time");
    } else if (id == "what_if_not_certain") {
        for (const json &change : answer_.at("changes"))
            expect(change.at("gain_error").is_null(), "one is certain");
    } else {
        return std::nullopt;
    }
    return wrong_;
}

} // namespace

std::optional<std::vector<std::string>> what_is_false_in_what_if(const ReadSentence &sentence, const json &answer) {
    return WhatIfChecker(answer).check(sentence);
}

} // namespace cpl_lb::test
