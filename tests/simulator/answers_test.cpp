// Each sentence of what balance and predict answer about random runs, with changes and without, evaluated by code
// that shares nothing with what writes them; and the verdict of the run says the same.
#include "prediction/run_balance.hpp"
#include "report/words.hpp"
#include "tests/report/answer_check.hpp"
#include "tests/report/sentence_check.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/environment.hpp"
#include "tests/simulator/simulator.hpp"
#include "tests/tools/command.hpp"

#include <cstdio>
#include <filesystem>
#include <utility>

using namespace cpl_lb;
using namespace cpl_lb::simulator;
using cpl_lb::test::Asked;
using cpl_lb::test::command;
using nlohmann::json;

namespace {

using Said = std::map<std::string, int>; // how often each sentence was

struct Question {
    Model model;
    std::vector<Counts> counts; // of the runs
    CoupledRun first;
    Asked asked;
    std::string runs; // folders
};

// Few cores leave nothing to move.
Counts random_counts(const Model &model, Random &random) {
    const std::int64_t most = random.chance(0.2) ? 2 : 12;
    Counts counts;
    for (const Part &part : model.parts)
        counts.push_back(random.whole(1, part.io_server || part.name == "coupler" ? 2 : most));
    return counts;
}

// Some models have data under way for long.
Model answered_model(std::uint64_t seed, Random &random) {
    RandomSettings settings;
    settings.changing = random.chance(0.3);
    Model model = random_model(seed, settings);
    if (random.chance(0.3))
        for (simulator::Exchange &exchange : model.exchanges)
            exchange.transfer_s = random.log_uniform(0.1, 10);
    return model;
}

// One run, or three with other counts.
Question question(std::uint64_t seed, const test::TemporaryFolder &folder, Random &random) {
    Question q{answered_model(seed, random), {}, {}, {}, {}};
    const std::size_t runs = random.chance(0.5) ? 1 : 3;
    for (std::size_t n = 0; n < runs; ++n) {
        q.counts.push_back(random_counts(q.model, random));
        const std::string directory = folder / std::to_string(n);
        std::filesystem::create_directory(directory);
        const Run run = simulate(q.model, q.counts.back(), {.steps = 40, .seed = seed * 10 + n});
        write_timelines(directory, run);
        q.runs += " " + directory;
        if (n == 0) q.first = as_coupled_run(run);
        for (std::size_t c = 0; c < q.model.parts.size(); ++c)
            q.asked.measured[q.model.parts[c].name].insert(q.counts.back()[c]);
    }
    judge_balance(q.first, find_exchanges(q.first));
    for (const std::int64_t count : q.counts.front())
        q.asked.total += count;
    return q;
}

// A word of predict with one to three.
std::string random_changes(const std::string &run, const Model &model, Random &random) {
    const auto part = [&] {
        return model
            .parts[static_cast<std::size_t>(random.whole(0, static_cast<std::int64_t>(model.parts.size()) - 1))]
            .name;
    };
    const std::string field = model
                                  .exchanges[static_cast<std::size_t>(
                                      random.whole(0, static_cast<std::int64_t>(model.exchanges.size()) - 1))]
                                  .field;
    std::string changes = " --faster " + part() + "=" + std::to_string(random.log_uniform(0.5, 4));
    if (random.chance(0.3)) changes += " --lag " + field + "=" + std::to_string(random.whole(0, 2));
    if (random.chance(0.3)) changes += " --every " + field + "=2";
    if (random.chance(0.2)) changes += " --transfer 0.5";
    if (random.chance(0.3))
        return "layout" + run + changes + " --sequential " + model.parts[0].name + "," + model.parts[1].name;
    return "changes" + run + changes;
}

void check_answer(Question &q, const std::string &arguments, Said &said, json &answer) {
    const test::TemporaryFolder folder;
    q.asked.first = &q.first;
    const test::Result text = command(folder, arguments), figures = command(folder, arguments + " --json");
    INFO(arguments << "\n" << text.output << text.errors);
    CHECK(text.status == figures.status);
    if (text.status != 0) { // one line why not
        ++said["refused"];
        CHECK(std::count(text.errors.begin(), text.errors.end(), '\n') == 1);
        return;
    }
    answer = json::parse(figures.output);
    for (const std::string &wrong : test::what_is_false(q.asked, text.output, answer))
        FAIL_CHECK(wrong);
    std::istringstream lines(text.output);
    for (std::string line; std::getline(lines, line);)
        for (const test::ReadSentence &read : test::read_sentences(line))
            ++said[read.id];
}

// What the verdict promises is what balance finds: both ask one engine, and a single run scales ideally for both.
void compare_with_verdict(const Question &q, const json &answer) {
    if (answer.is_null() || q.counts.size() > 1) return;
    const RunBalance &b = q.first.balance;
    INFO("verdict: " << verdict_words(q.first).front() << "\nbest " << b.best_s << " of " << b.loop_s << "\n"
                     << answer.dump(1));
    REQUIRE(b.why_no_gain.empty());
    CHECK(answer.at("measured_s").get<double>() == Approx(b.loop_s).epsilon(1e-3));
    const double expected = answer.at("seconds").get<double>() / answer.at("measured_s").get<double>();
    CHECK(expected == Approx(b.best_s / b.loop_s).margin(0.02));
}

Said check_models(std::uint64_t models) {
    Said said;
    const std::uint64_t first = from_environment("CPL_LB_SIMULATED_FIRST", 1);
    for (std::uint64_t seed = first; seed < first + models; ++seed) {
        const test::TemporaryFolder folder;
        Random random(seed * 15'485'863 + 3);
        Question q = question(seed, folder, random);
        INFO("seed " << seed << "\n" << in_words(q.model));
        json answer;
        check_answer(q, "balance" + q.runs + " --total " + std::to_string(q.asked.total), said, answer);
        compare_with_verdict(q, answer);
        const std::int64_t present = q.asked.total;
        q.asked.total = std::max<std::int64_t>(present - random.whole(1, 3), 1);
        check_answer(q, "balance" + q.runs + " --total " + std::to_string(q.asked.total), said, answer);
        check_answer(q, "predict" + q.runs, said, answer);
        const std::string first = q.runs.substr(0, q.runs.find(' ', 1));
        check_answer(q, "predict " + random_changes(first, q.model, random), said, answer);
        check_answer(q, "predict what-if" + first, said, answer);
        std::string pes;
        const Counts others = random_counts(q.model, random);
        for (std::size_t c = 0; c < q.model.parts.size(); ++c) {
            const Part &part = q.model.parts[c];
            if (part.io_server) continue;
            q.asked.counts[part.name] = others[c];
            pes += (pes.empty() ? " --pes " : ",") + part.name + "=" + std::to_string(others[c]);
        }
        check_answer(q, "predict" + q.runs + pes, said, answer);
    }
    if (tells_figures())
        for (const auto &[id, count] : said)
            std::printf("%s: %d\n", id.c_str(), count);
    return said;
}

} // namespace

TEST_CASE("every sentence of the answers about a few random runs is true") {
    CHECK(check_models(2).size() > 3);
}

TEST_CASE("every sentence of the answers about random runs is true", "[long]") {
    const Said said = check_models(from_environment("CPL_LB_SIMULATED_MODELS", 30));
    for (const char *id : {"best_counts", "move", "nothing_to_move", "no_advice", "may_be_slower", "measure_next",
                           "by_ideal_scaling", "beyond_measured", "predicted", "correction", "cycle", "model_misses",
                           "what_if", "what_if_slow", "what_if_year", "what_if_each", "what_if_in_turn"}) {
        INFO(id);
        CHECK(said.count(id) > 0);
    }
}
