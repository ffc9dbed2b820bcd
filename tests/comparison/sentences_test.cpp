// Each sentence that compare says of random pairs of runs, evaluated by code that shares nothing with what writes
// them: figures from the runs, changes and intervals from the laws that the runs were made with.
#include "comparison/compare_runs.hpp"
#include "support/sentences.hpp"
#include "tests/comparison/inside_of_pair.hpp"
#include "tests/report/sentence_check.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/environment.hpp"
#include "tests/simulator/simulator.hpp"
#include "tools/compare/compare_output.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <regex>

using namespace cpl_lb;
using namespace cpl_lb::simulator;

namespace {

using Runs = std::vector<CoupledRun>;
using Words = std::vector<std::string>;

// Seconds that each component computes in a step; the atmosphere's are more than the others' by a third at least, so
// that a step is as long as its computing.
using Seconds = std::map<std::string, double>;

struct Pair {
    Seconds before_s, after_s;
    Runs before, after;
};

Model model_of(const Seconds &seconds, double noise, double memory) {
    Model m;
    m.parts = {{"atmosphere", ideal(seconds.at("atmosphere")), {compute(1)}}};
    for (const auto &[name, s] : seconds) {
        if (name == "atmosphere") continue;
        const std::size_t to = m.exchanges.size(), back = to + 1;
        m.exchanges.push_back({name + "_heat", 0, m.parts.size()});
        m.exchanges.push_back({name + "_sst", m.parts.size(), 0});
        m.parts.front().step.push_back(receive(back));
        m.parts.front().step.push_back(send(to));
        m.parts.push_back({name, ideal(s), {compute(1), send(back), receive(to)}});
    }
    for (Part &part : m.parts) {
        part.noise = noise;
        part.noise_memory = memory;
    }
    return m;
}

// What the simulator does not make: other work on the machine, another machine, a component that is gone.
void change_run(CoupledRun &run, Random &random) {
    if (random.chance(0.1)) run.cpmip.platform = random.chance(0.5) ? "here" : "there";
    if (random.chance(0.05) && run.components.size() > 2) run.components.pop_back();
    if (!random.chance(0.05)) return;
    Component &c = run.components.front();
    c.no_processor.outside.add(random.uniform(0.01, 0.3) * c.balance.loop_s);
    c.no_processor.most_outside = static_cast<std::int32_t>(random.whole(0, 9));
}

void add_traffic(Pair &pair, Random &random) {
    const pairs::Traffic before = pairs::random_traffic(random);
    pairs::Traffic after = random.chance(0.3) ? before : pairs::random_traffic(random);
    if (random.chance(0.5)) after.late = before.late;
    for (CoupledRun &run : pair.before)
        pairs::add_traffic(run, before, random);
    for (CoupledRun &run : pair.after)
        pairs::add_traffic(run, after, random);
}

Pair pair_of(std::uint64_t seed) {
    Random random(seed * 7'919 + 11);
    Pair pair;
    pair.before_s = {{"atmosphere", 1}, {"ocean", random.uniform(0.3, 0.68)}};
    if (random.chance(0.5)) pair.before_s["ice"] = random.uniform(0.1, 0.68);
    pair.after_s = pair.before_s;
    for (auto &[name, s] : pair.after_s)
        if (random.chance(0.5)) s *= random.chance(0.2) ? random.uniform(0.98, 1.02) : random.uniform(0.92, 1.08);
    if (random.chance(0.1)) pair.after_s["land"] = 0.2;
    if (random.chance(0.1)) pair.after_s.erase("ice");
    const double noise = random.uniform(0.005, 0.03), memory = random.uniform(0, 0.7);
    const std::int64_t runs = random.chance(0.5) ? 1 : random.whole(2, 3);
    for (std::int64_t n = 0; n < 2 * runs; ++n) {
        Runs &state = n < runs ? pair.before : pair.after;
        const Model model = model_of(n < runs ? pair.before_s : pair.after_s, noise, memory);
        const auto of_run = seed * 100 + static_cast<std::uint64_t>(n);
        state.push_back(
            as_coupled_run(simulate(model, Counts(model.parts.size(), 1), {.steps = 200, .seed = of_run})));
        change_run(state.back(), random);
    }
    if (random.chance(0.5)) add_traffic(pair, random);
    return pair;
}

double mean_of(const Runs &runs, const std::string &name, double Step::*figure) {
    double sum = 0;
    std::size_t steps = 0;
    for (const CoupledRun &run : runs) {
        for (const Step &step : pairs::find(run, name)->balance.steps)
            sum += step.*figure;
        steps += pairs::find(run, name)->balance.steps.size();
    }
    return sum / static_cast<double>(steps);
}

// "5.9 % [5.5, 6.3]" or "+5.9 [5.5, 6.3]", in per cent.
struct Change {
    double change = unknown, low = unknown, high = unknown, digit = 0;
    explicit Change(const std::string &text) {
        static const std::regex all(R"(([+-]?[0-9.]+)(?: %)? \[([0-9.-]+), ([0-9.-]+)\])");
        std::smatch match;
        if (!std::regex_match(text, match, all)) return;
        change = std::stod(match[1].str());
        low = std::stod(match[2].str());
        high = std::stod(match[3].str());
        const auto point = match[2].str().find('.');
        digit =
            point == std::string::npos ? 1 : std::pow(10.0, -static_cast<double>(match[2].str().size() - point - 1));
    }
};

struct Held {
    int intervals = 0, hold = 0;
};

// "5.9 % [5.5, 6.3] longer, mostly for atmosphere": the change, which way, and what follows.
std::map<std::string, std::string> parts_of(const std::string &text) {
    static const std::regex all(R"((\S+ % \[[^\]]+\]) (longer|shorter)(.*))");
    std::smatch match;
    if (!std::regex_match(text, match, all)) return {{"change", ""}, {"longer", ""}, {"whom", "?"}};
    return {{"change", match[1].str()}, {"longer", match[2].str()}, {"whom", match[3].str()}};
}

class CompareChecker {
public:
    CompareChecker(const Pair &pair, Held &held) : pair_(pair), held_(held) {}
    Words check(const Words &words);

private:
    using Figures = std::map<std::string, std::string>;
    void expect(bool holds, const std::string &what) {
        if (!holds) wrong_.push_back(id_ + ": " + what);
    }
    void check_one(const test::ReadSentence &sentence);
    void check_run(const Figures &f);
    void check_change(const std::string &name, const Figures &f, double Step::*figure, double truth);
    void check_waits_now(const Figures &f);
    void check_disturbed(const Figures &f);
    void check_inside(const Figures &f);
    void check_late(const Figures &f);
    void expect_inside(const std::string &name);
    [[nodiscard]] double length(const Runs &runs) const { return mean_of(runs, "atmosphere", &Step::length_s); }
    void count(const Change &c, double truth) {
        ++held_.intervals;
        held_.hold += c.low <= 100 * truth + 0.5 * c.digit && 100 * truth <= c.high + 0.5 * c.digit ? 1 : 0;
    }

    const Pair &pair_;
    Held &held_;
    std::string id_;
    Words wrong_;
    std::map<std::string, int> said_;
};

// The run is as long as a step of the atmosphere. The others' steps differ by the ends of their loops only.
void CompareChecker::check_run(const Figures &f) {
    const double before = length(pair_.before), after = length(pair_.after);
    expect(std::abs(std::stod(f.at("before")) / before - 1) < 0.005, "another length before");
    expect(std::abs(std::stod(f.at("after")) / after - 1) < 0.005, "another length after");
    if (id_ == "no_interval") return;
    Change c(f.at("change"));
    const double sign = id_ == "takes_less" ? -1 : 1;
    expect(std::abs(sign * c.change - 100 * (after / before - 1)) < 0.5 + c.digit, "another change");
    if (id_ == "no_difference") {
        expect(c.low <= c.digit && c.high >= -c.digit, "the interval lies beside 0");
        expect(std::abs(std::stod(f.at("seen")) - (c.high - c.change)) < 2 * c.digit, "another half width");
    } else {
        expect(c.low > -c.digit && c.change > 0, "its interval holds 0");
    }
    count(c, sign * (pair_.after_s.at("atmosphere") / pair_.before_s.at("atmosphere") - 1));
}

void CompareChecker::check_change(const std::string &name, const Figures &f, double Step::*figure, double truth) {
    const double before = mean_of(pair_.before, name, figure), after = mean_of(pair_.after, name, figure);
    const Change c(f.at("change"));
    const double sign = f.at("longer") == "longer" ? 1 : -1;
    expect((after > before) == (sign > 0), "the other way round");
    expect(std::abs(sign * c.change - 100 * (after / before - 1)) < 0.05 + c.digit, "another change");
    expect(c.low > -c.digit, "its interval holds 0");
    count(c, sign * truth);
}

void CompareChecker::check_waits_now(const Figures &f) {
    const double before = mean_of(pair_.before, f.at("name"), &Step::waiting_s);
    const double after = mean_of(pair_.after, f.at("name"), &Step::waiting_s);
    expect(before <= 0.0101 * length(pair_.before) && after > before, "it waited before, or waits less now");
    expect(std::max(before, after) > 0.0099 * length(pair_.before), "it hardly waits");
}

void CompareChecker::check_disturbed(const Figures &f) {
    const bool is_before = f.at("which").find("before") != std::string::npos;
    int count = 0;
    const Component *first = nullptr;
    const Runs &runs = is_before ? pair_.before : pair_.after;
    for (const CoupledRun &run : runs) {
        const Component *c = pairs::find(run, f.at("name"));
        if (c == nullptr || !(c->no_processor.outside.max >= 0.05 * c->balance.loop_s)) continue;
        ++count;
        if (first == nullptr) first = c;
    }
    if (first == nullptr) return expect(false, "none was");
    expect(test::is_share(f.at("share"), first->no_processor.outside.max / first->balance.loop_s), "another share");
    expect(f.at("process") == std::to_string(first->no_processor.most_outside), "another process");
    if (runs.size() > 1) expect(f.at("which").starts_with(std::to_string(count) + " of "), "another number of runs");
}

void CompareChecker::check_inside(const Figures &f) {
    const std::string what = id_ == "inside_messages" ? "messages" : "bytes";
    const auto before = pairs::of_runs(pair_.before, f.at("name"), what),
               after = pairs::of_runs(pair_.after, f.at("name"), what);
    const double unit = what == "bytes" ? 1024.0 * 1024 : 1;
    expect(std::abs(std::stod(f.at("before")) * unit / pairs::mean(before) - 1) < 1e-3, "another number before");
    expect(std::abs(std::stod(f.at("after")) * unit / pairs::mean(after) - 1) < 1e-3, "another number after");
}

void CompareChecker::check_late(const Figures &f) {
    const auto before = pairs::of_runs(pair_.before, f.at("name"), "late"),
               after = pairs::of_runs(pair_.after, f.at("name"), "late");
    const auto who = [&](const Runs &runs) {
        return std::to_string(pairs::find(runs.front(), f.at("name"))->inside.traffic.waited_for.front().process);
    };
    const bool gone = id_ == "late_no_more";
    expect(f.at("process") == who(gone ? pair_.before : pair_.after), "another process");
    expect(test::is_share(f.at("share"), pairs::mean(gone ? before : after)), "another share");
    if (id_ == "late_other") expect(f.at("other") == who(pair_.before), "another process before");
    if (f.count("other_share") > 0)
        expect(test::is_share(f.at("other_share"), pairs::mean(before)), "another share before");
    const bool was = before.front() > 0, is = after.front() > 0, same = who(pair_.before) == who(pair_.after);
    const bool holds = id_ == "late_now"       ? !was && is
                       : id_ == "late_no_more" ? was && !is
                       : id_ == "late_other"
                           ? was && is && !same
                           : was && is && same && std::abs(pairs::mean(after) - pairs::mean(before)) >= 0.0199;
    expect(holds, "it does not hold");
}

// What has to be said of a component in all runs, with one process.
void CompareChecker::expect_inside(const std::string &name) {
    if (!pairs::all_have(pair_.before, name) || !pairs::all_have(pair_.after, name)) return;
    const auto other = [&](const char *what, double least) {
        return pairs::is_other(pairs::of_runs(pair_.before, name, what), pairs::of_runs(pair_.after, name, what),
                               least);
    };
    expect((said_["inside_messages"] > 0) == other("messages", 1), "whether it has other messages");
    expect((said_["inside_bytes"] > 0) == other("bytes", 1024), "whether it has other bytes");
    const auto before = pairs::of_runs(pair_.before, name, "late"), after = pairs::of_runs(pair_.after, name, "late");
    if (before.empty()) return expect(said_["late_now"] + said_["late_other"] == 0, "nobody knows");
    expect(said_["late_now"] == (before.front() == 0 && after.front() > 0 ? 1 : 0), "whether one is late now");
    expect(said_["late_no_more"] == (before.front() > 0 && after.front() == 0 ? 1 : 0), "whether none is any more");
}

void CompareChecker::check_one(const test::ReadSentence &sentence) {
    id_ = sentence.id;
    ++said_[id_];
    const Figures &f = sentence.figures;
    const auto named = f.find("name");
    const std::string name = named == f.end() ? "" : named->second;
    const auto wait_s = [&](const Seconds &s) { return s.at("atmosphere") - s.at(name); };
    if (id_ == "takes_more" || id_ == "takes_less" || id_ == "no_difference" || id_ == "no_interval") {
        check_run(f);
    } else if (id_ == "repeat_both") {
        expect(pair_.before.size() + pair_.after.size() == 2, "they were repeated");
        expect(std::abs(length(pair_.after) / length(pair_.before) - 1) < 0.0105, "that is more");
    } else if (id_ == "computing_changes") { // of a verdict; the words are these, too
        check_change(name, parts_of(f.at("how")), &Step::computing_s,
                     pair_.after_s.at(name) / pair_.before_s.at(name) - 1);
    } else if (id_ == "waits") {
        expect(name != "atmosphere", "it is the bottleneck");
        const Figures parts = parts_of(f.at("change") + " " + f.at("longer") + f.at("whom"));
        check_change(name, parts, &Step::waiting_s, wait_s(pair_.after_s) / wait_s(pair_.before_s) - 1);
        expect(parts.at("whom") == ", mostly for atmosphere", "nobody else is slow");
    } else if (id_ == "waits_now") {
        check_waits_now(f);
    } else if (id_ == "inside_messages" || id_ == "inside_bytes") {
        check_inside(f);
    } else if (id_.starts_with("late_")) {
        check_late(f);
    } else if (id_ == "is_gone") {
        expect(pairs::any_has(pair_.before, name) && !pairs::any_has(pair_.after, name), "it is not");
    } else if (id_ == "is_new") {
        expect(!pairs::any_has(pair_.before, name) && pairs::any_has(pair_.after, name), "it is not");
    } else if (id_ == "not_in_all_runs") {
        expect(!pairs::all_have(f.at("state") == "before" ? pair_.before : pair_.after, name), "it is");
    } else if (id_ == "another_machine") {
        expect(f.at("before") == pair_.before.front().cpmip.platform, "another name before");
        expect(f.at("after") == pair_.after.front().cpmip.platform, "another name after");
        expect(f.at("before") != f.at("after"), "the same machine");
    } else if (id_ == "runs_disturbed") {
        check_disturbed(f);
    } else {
        expect(false, "no sentence of these runs");
    }
}

Words CompareChecker::check(const Words &words) {
    static const std::regex note("Note: (.*)\\.");
    for (const std::string &text : words) {
        std::smatch match;
        const bool is_note = std::regex_match(text, match, note);
        const auto read = test::read_sentences(is_note ? match[1].str() : text);
        if (read.empty()) wrong_.push_back("not in the table: " + text);
        for (const test::ReadSentence &one : read)
            check_one(one);
    }
    id_ = "all";
    expect(said_["takes_more"] + said_["takes_less"] + said_["no_difference"] + said_["no_interval"] == 1,
           "whether it is slower is not said, or twice");
    expect_inside("ocean");
    for (const char *name : {"ice", "land"}) {
        const bool gone = pairs::any_has(pair_.before, name) && !pairs::any_has(pair_.after, name);
        if (gone) expect(said_["is_gone"] > 0, std::string(name) + " is gone");
    }
    return wrong_;
}

std::map<std::string, int> check_pairs(std::uint64_t pairs, Held &held) {
    std::map<std::string, int> said;
    const std::uint64_t first = from_environment("CPL_LB_SIMULATED_FIRST", 1);
    for (std::uint64_t seed = first; seed < first + pairs; ++seed) {
        const Pair pair = pair_of(seed);
        const Words words = comparison_in_words(compare_runs(pair.before, pair.after));
        std::string all;
        for (const std::string &text : words)
            all += text + "\n";
        INFO("seed " << seed << "\n" << all);
        for (const std::string &wrong : CompareChecker(pair, held).check(words))
            FAIL_CHECK(wrong);
        for (const std::string &text : words)
            for (const test::ReadSentence &read : test::read_sentences(text))
                ++said[read.id];
    }
    if (tells_figures()) {
        std::printf("%d of %d intervals hold the truth\n", held.hold, held.intervals);
        for (const auto &[id, count] : said)
            std::printf("%s: %d\n", id.c_str(), count);
    }
    return said;
}

} // namespace

TEST_CASE("every sentence about a few random pairs of runs is true") {
    Held held;
    CHECK(check_pairs(10, held).size() > 3);
}

// About 1,000 intervals of 95 % are printed, which depend on each other within a pair.
TEST_CASE("every sentence about random pairs of runs is true, and its interval holds the change in 92 of 100",
          "[long]") {
    Held held;
    const auto said = check_pairs(from_environment("CPL_LB_SIMULATED_MODELS", 300), held);
    CHECK(held.intervals > 400);
    CHECK(held.hold >= 0.92 * held.intervals);
    for (const char *id :
         {"takes_more", "takes_less", "no_difference", "no_interval", "computing_changes", "waits", "is_gone",
          "is_new", "inside_messages", "inside_bytes", "late_now", "late_no_more", "late_other", "late_changed"}) {
        INFO(id);
        CHECK(said.count(id) > 0);
    }
}

TEST_CASE("a false sentence about a pair is found") {
    Pair pair;
    pair.before_s = pair.after_s = {{"atmosphere", 1}, {"ocean", 0.5}};
    pair.before = pair.after = {as_coupled_run(simulate(model_of(pair.before_s, 0, 0), {1, 1}, {.steps = 20}))};
    const auto wrong = [&](const std::string &sentence) {
        Held held;
        return CompareChecker(pair, held).check({sentence}).size();
    };
    const auto none = [](const std::string &after) {
        return say(Sentence::no_difference, {{"step", "a coupling step"},
                                             {"after", after},
                                             {"before", "1 s"},
                                             {"change", "+0.0 [-0.1, 0.1]"},
                                             {"seen", "0.1"}});
    };
    CHECK(wrong(none("1 s")) == 0);
    CHECK(wrong(none("1.1 s")) == 1);
    CHECK(wrong(none("1 s") + " " + say(Sentence::is_gone, {{"name", "ocean"}})) == 1);
    CHECK(wrong(none("1 s") + " " +
                say(Sentence::computes, {{"name", "ocean"},
                                         {"change", "5.0 % [4.0, 6.0]"},
                                         {"longer", "longer"},
                                         {"each", "in each step"}})) > 0);
    CHECK(wrong("It rained.") == 2); // and nothing is said of the run
}
