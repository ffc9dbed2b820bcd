// Conditions of the sentences of an answer, a second time.
#include "tests/report/answer_check.hpp"

#include "tests/report/answer_figures.hpp"
#include "tests/report/sentence_check.hpp"
#include "tests/report/what_if_check.hpp"

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

namespace cpl_lb::test {
namespace {

using nlohmann::json;
class AnswerChecker {
public:
    AnswerChecker(const Asked &asked, const std::string &text, const json &answer)
        : asked_(asked), text_(text), answer_(answer) {}

    [[nodiscard]] std::vector<std::string> check();

private:
    void expect(bool holds, const std::string &what) {
        if (!holds) wrong_.push_back(id_ + ": " + what);
    }
    [[nodiscard]] std::int64_t now(const std::string &name) const {
        for (const Component &c : asked_.first->components)
            if (c.name == name) return c.cores();
        return 0;
    }
    [[nodiscard]] std::int64_t then(const std::string &name) const {
        if (answer_.contains("processes")) return answer_.at("processes").value(name, std::int64_t{0});
        const auto asked = asked_.counts.find(name);
        return asked == asked_.counts.end() ? now(name) : asked->second;
    }
    [[nodiscard]] double all_now() const { return static_cast<double>(cores_of(true)); }
    [[nodiscard]] double all_then() const { return static_cast<double>(cores_of(false)); }
    [[nodiscard]] std::int64_t cores_of(bool present) const {
        std::int64_t cores = 0;
        for (const Component &c : asked_.first->components)
            cores += present ? now(c.name) : then(c.name);
        return cores;
    }
    [[nodiscard]] bool any_with_one_count() const {
        return std::any_of(asked_.measured.begin(), asked_.measured.end(),
                           [&](const auto &m) { return m.second.size() == 1 && then(m.first) != *m.second.begin(); });
    }
    [[nodiscard]] double computing_s(const std::string &name) const;
    void check_one(const ReadSentence &sentence);
    void check_balance(const std::string &id, const Figures &f);
    [[nodiscard]] std::int64_t cores_to_measure() const;
    void check_predict(const std::string &id, const Figures &f);
    void check_best(const Figures &f);
    void check_move(const Figures &f);
    void check_extrapolated(const std::string &names, bool one_count);
    void check_gap(const Figures &f);
    void check_predicted(const Figures &f);
    void check_own_loops(const std::string &loops);

    const Asked &asked_;
    const std::string &text_;
    const json &answer_;
    std::string id_;
    std::set<std::string> said_;
    std::vector<std::string> wrong_;
};

// As the table of the answer prints it: the last but one of the component's row.
double AnswerChecker::computing_s(const std::string &name) const {
    std::istringstream lines(text_);
    std::string line;
    while (std::getline(lines, line)) {
        std::istringstream cells(line);
        std::vector<std::string> row;
        for (std::string cell; cells >> cell;)
            row.push_back(cell);
        if (row.size() > 3 && row[0] == name) return std::stod(row[row.size() - 2]);
    }
    return unknown;
}

void AnswerChecker::check_best(const Figures &f) {
    expect(std::stoll(f.at("cores")) == cores_of(false), "other cores than its counts");
    expect(cores_of(false) <= asked_.total, "more cores than there are");
    expect(is_number(f.at("seconds"), number(answer_, "seconds")), "another time");
    const bool proven = f.at("proof").starts_with("proven");
    if (proven) {
        expect(!any_with_one_count(), "proven from one count");
        expect(number(answer_, "gap") == 0, "the search did not end");
    }
    expect(proven == answer_.at("proven_optimal").get<bool>(), "proven for people or for programs only");
    const std::string &uncertainty = f.at("uncertainty");
    if (uncertainty.starts_with("uncertain by "))
        expect(is_share(uncertainty.substr(13), number(answer_, "uncertainty")), "uncertain by another share");
    expect(uncertainty.starts_with("uncertain by ") != any_with_one_count(), "the uncertainty is known, or is not");
}

// "Give 2 of ocean's 6 cores and 1 of ice's 3 cores to atmosphere (3 more)"
void AnswerChecker::check_move(const Figures &f) {
    const double seconds = number(answer_, "seconds"), before_s = number(answer_, "measured_s");
    expect(std::abs(std::stod(f.at("times")) - before_s / seconds) < 0.0051, "another ratio");
    const double cost = seconds * all_then() / (before_s * all_now());
    static const std::regex cheaper("([^%]+%) (cheaper|more expensive)");
    const std::string words = f.at("cost") + f.at("energy"); // no energy was measured
    std::smatch match;
    if (std::regex_match(words, match, cheaper)) {
        expect(is_share(match[1].str(), std::abs(1 - cost)), "another cost");
        expect((match[2].str() == "cheaper") == (cost <= 1), "the other way round");
    } else {
        expect(false, "no cost in " + words);
    }
    expect(seconds <= 0.98 * before_s || cost <= 0.98, "not worth it");
    const std::string &moves = f.at("moves");
    for (const Component &c : asked_.first->components) {
        const std::int64_t change = then(c.name) - now(c.name);
        const std::regex gives(R"(\b(\d+) of )" + c.name + R"('s (\d+) cores?)"), gets(c.name + R"( \((\d+) more\))");
        const bool given = std::regex_search(moves, match, gives);
        expect(given == (change < 0), c.name + " gives, or does not");
        if (given) expect(std::stoll(match[1].str()) == -change && std::stoll(match[2].str()) == now(c.name), c.name);
        const bool got = std::regex_search(moves, match, gets);
        if (got) expect(std::stoll(match[1].str()) == change, c.name + " gets another number");
        expect(got || moves.ends_with("to " + c.name) ? change > 0 : change <= 0, c.name + " gets, or does not");
    }
}

void AnswerChecker::check_extrapolated(const std::string &names, bool one_count) {
    static const std::regex one(R"((\w+) \(measured with (\d+)(?: to (\d+))? cores?, here (\d+)\))");
    std::set<std::string> said;
    for (std::sregex_iterator at(names.begin(), names.end(), one), end; at != end; ++at) {
        const std::string name = (*at)[1].str();
        said.insert(name);
        expect(std::stoll((*at)[4].str()) == then(name), name + " has another count");
        const std::set<std::int64_t> &counts = asked_.measured.at(name);
        expect(std::stoll((*at)[2].str()) == *counts.begin(), name + " was measured with another count");
        expect((*at)[3].matched ? std::stoll((*at)[3].str()) == *counts.rbegin() : counts.size() == 1, name);
    }
    for (const auto &[name, counts] : asked_.measured) {
        const bool outside = then(name) < *counts.begin() || then(name) > *counts.rbegin();
        expect(said.contains(name) == (outside && (counts.size() == 1) == one_count), name + " is named, or is not");
    }
}

// The measured counts beside the answer's, which is none of them.
void AnswerChecker::check_gap(const Figures &f) {
    const std::string &name = f.at("name");
    const std::set<std::int64_t> &counts = asked_.measured.at(name);
    const auto more = counts.upper_bound(then(name));
    expect(std::stoll(f.at("count")) == then(name) && !counts.contains(then(name)), "another count, or measured");
    if (more == counts.begin() || more == counts.end()) return expect(false, "not between measured counts");
    expect(std::stoll(f.at("more")) == *more && std::stoll(f.at("fewer")) == *std::prev(more), "other neighbours");
    const double least = std::stod(f.at("least")), most = std::stod(f.at("most")), here = computing_s(name);
    expect(least <= here * 1.001 && most >= here * 0.999 && most >= least * 1.019, "not around the curve, or narrow");
    expect(answer_.at("measure_next").at(name) == then(name), "something else is measured next");
}

void AnswerChecker::check_predicted(const Figures &f) {
    const double seconds = number(answer_, "predicted_s");
    expect(is_number(f.at("seconds"), seconds), "another time");
    expect(std::abs(std::stod(f.at("times")) - number(answer_, "measured_s") / seconds) < 0.00051, "another ratio");
    static const std::regex range("between (\\S+) and (\\S+) s");
    std::smatch match;
    if (!std::regex_search(f.at("range"), match, range)) return expect(any_with_one_count(), "no range");
    expect(!any_with_one_count(), "a range from one count");
    expect(std::stod(match[1].str()) <= seconds * 1.001 && std::stod(match[2].str()) >= seconds * 0.999,
           "it lies outside of its own range");
}

// Those to measure, those that keep theirs, and one core of each other.
std::int64_t AnswerChecker::cores_to_measure() const {
    std::int64_t cores = 0;
    for (const Component &c : asked_.first->components) {
        const json &next = answer_.at("measure_next");
        const bool named = next.contains(c.name) && next.at(c.name).is_number();
        const bool keeps = std::regex_search(text_, std::regex("(^|\n)" + c.name + "\\b[^\n]* keeps its "));
        cores += named ? std::llround(next.at(c.name).get<double>()) : keeps ? now(c.name) : 1;
    }
    return cores;
}

void AnswerChecker::check_balance(const std::string &id, const Figures &f) {
    const bool present = std::all_of(asked_.first->components.begin(), asked_.first->components.end(),
                                     [&](const Component &c) { return now(c.name) == then(c.name); });
    const double seconds = number(answer_, "seconds"), before_s = number(answer_, "measured_s");
    if (id == "nothing_to_move") {
        expect(present, "other counts");
    } else if (id == "no_advice") {
        expect(!present && seconds >= before_s, "it is faster");
        expect(asked_.other_limits || cores_of(true) > asked_.total, "the present counts are allowed");
        expect(is_number(f.at("seconds"), seconds) && is_number(f.at("now"), before_s), "another time");
    } else if (id == "not_worth_to_move") {
        expect(!present && seconds > 0.98 * before_s && seconds * all_then() > 0.98 * before_s * all_now(),
               "it is worth it");
    } else if (id == "not_shown_shorter") {
        const double gain = before_s / seconds - 1, uncertainty = number(answer_, "uncertainty");
        expect(!present && gain > 0.02 && gain < 0.05 && 4 * gain < uncertainty, "it is known, or large");
        expect(seconds * all_then() > 0.98 * before_s * all_now(), "it saves cores");
        expect(is_share(f.at("share"), uncertainty), "uncertain by another share");
        expect(std::abs(std::stod(f.at("times")) - 1 - gain) < 0.0051, "another ratio");
    } else if (id == "may_be_slower") {
        expect(seconds < before_s && seconds * (1 + number(answer_, "uncertainty")) > before_s, "it cannot be");
    } else if (id == "measure_apart") {
        expect(std::stoll(f.at("cores")) == cores_to_measure(), "another number of cores");
        expect(cores_to_measure() > asked_.total && std::stoll(f.at("total")) == asked_.total, "they fit together");
    } else if (id == "measure_next") {
        expect(computing_s(f.at("name")) >= 0.0199 * seconds, "it hardly computes");
        expect(std::stoll(f.at("cores")) >= 1 && std::stoll(f.at("cores")) <= asked_.total, "nobody can have that");
    } else {
        for (const Component &c : asked_.first->components) {
            if (c.name != f.at("name")) continue;
            expect(now(c.name) == then(c.name) && std::stoll(f.at("cores")) == now(c.name), "it does not keep them");
            if (id == "server_keeps") expect(c.properties.is_io_server, "it is no server");
            if (id == "idle_keeps") expect(c.balance.computing_s < 1e-3 * c.balance.loop_s, "it computes");
        }
    }
}

// "ocean 12.3 s, atmosphere 12.4 s": longer than what they have in common; each that is no I/O server.
void AnswerChecker::check_own_loops(const std::string &loops) {
    static const std::regex one(R"((\w+) (\S+) s)");
    std::set<std::string> said;
    for (std::sregex_iterator at(loops.begin(), loops.end(), one), end; at != end; ++at) {
        const std::string name = (*at)[1].str();
        said.insert(name);
        for (const Component &c : asked_.first->components)
            if (c.name == name) expect(is_number((*at)[2].str(), c.balance.loop_s), name + " has another loop");
        expect(std::stod((*at)[2].str()) >= 0.99 * asked_.first->balance.loop_s, name + " has a shorter loop");
    }
    for (const Component &c : asked_.first->components)
        if (c.balance.loop_s > 0 && !c.balance.is_io_server) expect(said.contains(c.name), c.name + " is not named");
}

void AnswerChecker::check_predict(const std::string &id, const Figures &f) {
    const json &cycle = answer_.at("cycle");
    if (id == "correction") {
        const double alpha = number(answer_, "measured_s") / number(answer_, "model_s");
        expect(std::abs(alpha - 1) > 0.0999 && is_share(f.at("share"), std::abs(alpha - 1)), "another correction");
    } else if (id == "under_way") {
        double computed = 0;
        for (const Component &c : asked_.first->components)
            if (std::isfinite(c.balance.critical_share)) computed += c.balance.critical_share;
        expect(is_share(f.at("share"), 1 - computed), "another share");
    } else if (id == "cycle") {
        expect(is_number(f.at("mean"), number(cycle, "measured_mean_s")), "another mean");
        expect(std::stod(f.at("least")) <= std::stod(f.at("mean")) * 1.001 &&
                   std::stod(f.at("most")) >= std::stod(f.at("mean")) * 0.999,
               "the mean is no mean");
    } else if (id == "no_cycle") {
        expect(cycle.at("why_not") == f.at("why"), "another reason");
    } else if (id == "beside_cycle") {
        const json &all = answer_.at("exchanges");
        const auto beside =
            std::count_if(all.begin(), all.end(), [](const json &e) { return e.at("in_cycle") == 0; });
        expect(std::stoll(f.at("exchanges")) == beside, "another number");
    } else if (id == "one_cycle") {
        expect(is_number(f.at("mean"), number(answer_, "cycle_mean_s")), "another mean");
        expect(is_number(f.at("deviation"), number(answer_, "cycle_spread_s")), "another deviation");
        const auto cycles = answer_.at("cycles_s").get<std::vector<double>>();
        const auto [least, most] = std::minmax_element(cycles.begin(), cycles.end());
        expect(is_number(f.at("least"), *least) && is_number(f.at("most"), *most), "another range");
        expect(std::stoul(f.at("cycles")) == cycles.size(), "another number of cycles");
    } else if (id == "common_loop") {
        expect(is_number(f.at("measured"), number(answer_, "measured_s")), "another time measured");
        expect(is_number(f.at("model"), number(answer_, "model_s")), "another time of the model");
        expect(is_number(f.at("alpha"), number(answer_, "measured_s") / number(answer_, "model_s")), "another alpha");
        expect(is_number(f.at("measured"), asked_.first->balance.loop_s), "not the loop of the summary");
    } else if (id == "in_common_loop" || id == "in_predicted_loop") {
        const bool other = id == "in_predicted_loop";
        expect(other == !answer_.at("predicted_s").is_null(), "with the new counts, or not");
        expect(is_number(f.at("seconds"), number(answer_, other ? "predicted_s" : "measured_s")), "another loop");
    } else if (id == "own_loops") {
        check_own_loops(f.at("loops"));
    } else if (id == "path_changes") {
        expect((f.at("counts").empty()) == answer_.at("predicted_s").is_null(), "with the new counts, or not");
        expect(std::stoll(f.at("changes")) >= 0, "no number of changes");
    } else if (id == "model_misses") {
        expect(is_number(f.at("seconds"), number(answer_, "cycle_residual_s")), "another time");
    }
}

void AnswerChecker::check_one(const ReadSentence &sentence) {
    id_ = sentence.id;
    said_.insert(id_);
    const Figures &f = sentence.figures;
    const auto is = [&](auto... ids) { return ((id_ == ids) || ...); };
    if (is("best_counts")) return check_best(f);
    if (is("move")) return check_move(f);
    if (is("predicted")) return check_predicted(f);
    if (is("not_measured_between")) return check_gap(f);
    if (is("by_ideal_scaling", "beyond_measured")) return check_extrapolated(f.at("names"), is("by_ideal_scaling"));
    if (is("nothing_to_move", "no_advice", "not_worth_to_move", "may_be_slower", "measure_next", "server_keeps",
           "idle_keeps", "keeps_its_cores", "measure_apart", "not_shown_shorter"))
        return check_balance(id_, f);
    if (is("correction", "under_way", "cycle", "no_cycle", "beside_cycle", "model_misses", "one_cycle", "common_loop",
           "own_loops", "path_changes", "in_common_loop", "in_predicted_loop"))
        return check_predict(id_, f);
    if (const auto wrong = what_is_false_in_what_if(sentence, answer_)) {
        for (const std::string &what : *wrong)
            expect(false, what);
        return;
    }
    expect(false, "no sentence of an answer that was asked for");
}

// Lines of words end with a full stop, rows of tables and lines for launchers do not. What changes in a run is a
// sentence of its verdict.
std::vector<std::string> AnswerChecker::check() {
    static const std::string remark = "Remark: ";
    std::istringstream lines(text_);
    std::string line;
    while (std::getline(lines, line)) {
        const bool of_verdict = line.starts_with(remark);
        const std::vector<ReadSentence> read = read_sentences(of_verdict ? line.substr(remark.size()) : line);
        if (read.empty() && (of_verdict || line.ends_with('.'))) wrong_.push_back("not in the table: " + line);
        if (of_verdict) continue;
        for (const ReadSentence &one : read)
            check_one(one);
    }
    id_ = "all";
    if (said_.contains("measure_next") && cores_to_measure() > asked_.total)
        expect(said_.contains("measure_apart"), "together they need more cores than there are, and nothing says so");
    return wrong_;
}

} // namespace

std::vector<std::string> what_is_false(const Asked &asked, const std::string &text, const json &answer) {
    return AnswerChecker(asked, text, answer).check();
}

} // namespace cpl_lb::test
