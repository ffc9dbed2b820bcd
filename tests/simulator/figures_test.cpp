// A figure that several commands print is one figure: each command is asked for it, about random and recorded runs.
#include "tests/json.hpp"
#include "tests/simulator/as_run.hpp"
#include "tests/simulator/environment.hpp"
#include "tests/tools/command.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace cpl_lb;
using namespace cpl_lb::simulator;
using cpl_lb::test::answer_of;
using nlohmann::json;

namespace {

constexpr double rounding = 1e-6; // of the loop: times in files are nanoseconds

double number(const json &object, const std::string &name) {
    const json &value = object.at(name);
    return value.is_number() ? value.get<double>() : unknown;
}

bool same(double one, double other) {
    return std::isfinite(one) ? one == Approx(other).epsilon(rounding).margin(1e-9) : !std::isfinite(other);
}

const json &named(const json &list, const std::string &name) {
    return *std::find_if(list.begin(), list.end(), [&](const json &one) { return one.at("name") == name; });
}

struct Stretch {
    double start_s = 0, stop_s = 0;
    [[nodiscard]] double length_s() const { return std::max(0.0, stop_s - start_s); }
    [[nodiscard]] Stretch with(const Stretch &other) const {
        return {std::max(start_s, other.start_s), std::min(stop_s, other.stop_s)};
    }
};

Stretch own_loop(const json &component) {
    const double start_s = number(component, "init_s") + number(component, "startup_s");
    return {start_s, start_s + number(component, "loop_s")};
}

Stretch common_loop(const json &summary) {
    Stretch common{-1e300, 1e300};
    for (const json &c : summary.at("components"))
        if (!c.at("is_io_server").get<bool>()) common = common.with(own_loop(c));
    return common;
}

// In mapping, output and restarts of any process, over the component's own loop.
double operations_s(const json &component) {
    double seconds = 0;
    for (const char *work : {"mapping_s", "output_s", "restart_s"})
        for (const json &one : component.at("steps").value(work, json::array()))
            seconds += one.get<double>();
    return seconds;
}

// One run of which each command is asked. `other`: another run of the same model, to compare with; may be empty.
class Answers {
public:
    Answers(const test::TemporaryFolder &folder, std::string run, std::string other)
        : folder_(folder), run_(std::move(run)), other_(std::move(other)) {
        summary_ = ask("summary");
        for (const json &c : summary_.at("components"))
            counts_ += (counts_.empty() ? "" : ",") + c.at("name").get<std::string>() + "=" +
                       std::to_string(c.at("cores").get<std::int64_t>());
    }
    void check_all() {
        INFO(run_);
        check_loop();
        check_components();
        check_run();
        check_steps();
        check_rules();
    }

private:
    [[nodiscard]] json ask(const std::string &command, const std::string &arguments = "") const {
        return answer_of(folder_, command + " " + run_ + arguments);
    }

    // Predict and balance are about the common loop, which here is worked out from the components' own.
    void check_loop() {
        common_ = common_loop(summary_);
        const double loop_s = number(summary_.at("balance"), "loop_s");
        CHECK(same(loop_s, common_.length_s()));
        for (const char *what : {"predict", "predict what-if", "balance"}) {
            INFO(what);
            const bool is_balance = what == std::string("balance");
            const json answer = ask(what, is_balance ? " --total " + summary_.at("run").at("cores").dump() : "");
            CHECK(same(number(answer, "measured_s"), loop_s));
        }
    }

    void check_components() {
        const std::string first = summary_.at("components").at(0).at("name");
        predict_ = ask("predict");
        const json changed = ask("predict changes", " --faster " + first + "=2");
        const json present = ask("predict", " --pes " + counts_);
        CHECK(same(number(present, "predicted_s"), common_.length_s()));
        for (const json &c : summary_.at("components")) {
            const std::string name = c.at("name");
            INFO(name);
            const json &p = named(predict_.at("components"), name);
            check_component(c, p);
            const json &then = named(changed.at("components"), name);
            const json &again = named(present.at("components"), name);
            const bool in_turn = number(p, "measured_away_s") > 0;
            for (const char *figure : {"computing_s", "waiting_s"}) {
                INFO(figure);
                const std::string measured = std::string("measured_") + figure;
                CHECK(same(number(then, measured), number(p, figure)));
                CHECK(same(number(again, measured), number(p, figure)));
                if (!in_turn)
                    CHECK(number(again, figure) == Approx(number(p, figure)).margin(1e-6 * common_.length_s()));
            }
            CHECK(then.at("measured_cores") == c.at("cores"));
            const double share = number(c, "critical_share");
            CHECK(same(number(then, "measured_critical_share"), share));
            CHECK(same(number(p, "critical_s"), share * common_.length_s()));
        }
    }

    // What the component's own loop and the common one do not share bounds how far their figures are apart. While one
    // process maps or writes inside an exchange the component computes; the summary's mean is of all processes.
    void check_component(const json &c, const json &p) const {
        CHECK(p.at("processes") == c.at("cores"));
        CHECK(same(number(p, "computing_s") + number(p, "waiting_s") + number(p, "measured_away_s"),
                   common_.length_s()));
        const Stretch own = own_loop(c);
        CHECK(same(number(c, "computing_s") + number(c, "waiting_s") + number(c, "away_s"), own.length_s()));
        const double both_s = own.with(common_).length_s(), little_s = rounding * common_.length_s();
        const double only_common_s = common_.length_s() - both_s + little_s;
        const double only_own_s = own.length_s() - both_s + little_s, work_s = operations_s(c);
        CHECK(number(p, "computing_s") <= number(c, "computing_s") + work_s + only_common_s);
        CHECK(number(c, "computing_s") <= number(p, "computing_s") + only_own_s);
        CHECK(number(p, "waiting_s") <= number(c, "waiting_s") + only_common_s);
        CHECK(number(c, "waiting_s") <= number(p, "waiting_s") + work_s + only_own_s);
        if (c.at("is_io_server").get<bool>()) CHECK(number(c, "idle_s") <= number(c, "waiting_s") + little_s);
    }

    void check_run() {
        const json cpmip = ask("cpmip");
        for (const auto &[figure, value] : summary_.at("cpmip").items()) {
            INFO(figure);
            CHECK(cpmip.at("cpmip").at(figure) == value);
        }
        const json &run = summary_.at("run");
        CHECK(cpmip.at("wall_s") == run.at("wall_s"));
        for (const char *figure : {"sypd", "chsy"}) {
            INFO(figure);
            CHECK(summary_.at("cpmip").at(figure) == run.at(figure));
        }
        double lost_s = 0, all_s = 0; // what counts as lost, where nobody stands between others on one core
        bool known = true;
        for (const json &c : summary_.at("components")) {
            const double cores = number(c, "cores");
            if (c.at("is_io_server").get<bool>()) continue;
            known = known && (cores > 1 || number(c, "waiting_s") <= 0.5 * number(c, "loop_s"));
            lost_s += cores * number(c, "waiting_s");
            all_s += cores * number(c, "loop_s");
        }
        if (known) CHECK(same(number(run, "waiting_share"), lost_s / all_s));
    }

    // Compare has the means of a step.
    void check_steps() const {
        if (other_.empty()) return;
        const json compared = ask("compare", " " + other_);
        for (const char *figure : {"sypd", "chsy"})
            CHECK(same(number(compared.at("run").at(figure), "before"), number(summary_.at("run"), figure)));
        for (const json &c : summary_.at("components")) {
            const json &of_step = named(compared.at("components"), c.at("name"));
            const double steps = number(c.at("steps"), "count");
            INFO(c.at("name") << ", " << steps << " steps");
            CHECK(of_step.at("cores").at("before") == c.at("cores"));
            CHECK(same(steps * number(of_step.at("length_s"), "before"), number(c, "loop_s")));
            for (const char *figure : {"computing_s", "waiting_s"})
                CHECK(same(steps * number(of_step.at(figure), "before"), number(c, figure)));
        }
    }

    [[nodiscard]] double expected(const std::string &component, const std::string &figure) const {
        const json &run = summary_.at("run");
        if (component.empty()) {
            if (figure == "waiting_percent") return 100 * number(run, "waiting_share");
            if (figure == "coupling_cost_percent") return 100 * number(summary_.at("cpmip"), "coupling_cost");
            if (figure == "efficiency_percent") return 100 * number(run.at("efficiency"), "total");
            return number(run, figure);
        }
        const json &c = named(summary_.at("components"), component);
        if (figure == "waiting_percent") return 100 * number(c, "waiting_s") / number(c, "loop_s");
        const std::string of_step = figure == "step_s" ? "loop_s" : figure.substr(0, figure.find("_per_step"));
        return number(c, of_step) / number(c.at("steps"), "count");
    }

    void check_rules() const {
        const std::string rules = folder_ / "rules.toml", any = " = { at_least = -1, may_be_unknown = true }\n";
        std::string text = "[run]\n";
        for (const char *figure :
             {"sypd", "chsy", "wall_s", "waiting_percent", "coupling_cost_percent", "efficiency_percent"})
            text += figure + any;
        text += "[each_component]\n";
        for (const char *figure : {"waiting_percent", "step_s", "computing_s_per_step", "waiting_s_per_step"})
            text += figure + any;
        std::ofstream(rules) << text;
        const json checked = ask("check", " --rules " + rules);
        for (const json &rule : checked.at("rules")) {
            const std::string component = rule.at("component").is_null() ? "" : rule.at("component");
            INFO(rule.dump());
            CHECK(same(number(rule, "value"), expected(component, rule.at("figure"))));
        }
        CHECK(checked.at("rules").size() > 6);
    }

    const test::TemporaryFolder &folder_;
    std::string run_, other_, counts_;
    json summary_, predict_;
    Stretch common_;
};

void check_models(std::uint64_t first, std::uint64_t models) {
    for (std::uint64_t seed = first; seed < first + models; ++seed) {
        const test::TemporaryFolder folder;
        Random random(seed * 15'485'863 + 11);
        const Model model = random_model(seed, {.changing = random.chance(0.3)});
        INFO("seed " << seed << "\n" << in_words(model));
        Counts counts;
        for (const Part &part : model.parts)
            counts.push_back(random.whole(1, part.io_server ? 2 : 8));
        write_timelines(folder.path(), simulate(model, counts, {.steps = 40, .seed = seed}));
        // What the simulator writes beside the timelines is not judged as a recorded run is; check reads the json
        // alone.
        const json told = answer_of(folder, "summary " + folder.path());
        std::ofstream(folder / "load_balancing_info.json") << told;
        Answers(folder, folder.path(), "").check_all();
    }
}

} // namespace

TEST_CASE("each command has the same figures: the runs of the tutorial") {
    const test::TemporaryFolder folder;
    const std::string before = std::string(CPL_LB_RUNS) + "before", after = std::string(CPL_LB_RUNS) + "after";
    Answers(folder, before, after).check_all();
    Answers(folder, after, before).check_all();
}

TEST_CASE("each command has the same figures: a few random runs") {
    check_models(1, 6);
}

TEST_CASE("each command has the same figures: random runs", "[long]") {
    check_models(from_environment("CPL_LB_SIMULATED_FIRST", 1), from_environment("CPL_LB_SIMULATED_MODELS", 60));
}
