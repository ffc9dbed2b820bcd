// cpl-lb predict with changes, on timelines written here; the arithmetic is in the comments.
#include "tests/tools/told.hpp"

#include <fstream>

using namespace cpl_lb;
using nlohmann::json;
using namespace cpl_lb::test;

namespace {

// In a step of 5 s the atmosphere computes 5 s after it got T, and then sends Q; the ocean computes 2 s after it got
// Q, and then sends T. Both get what was sent in the step before (lag 1).
std::vector<TimelineLiteral> side_by_side(double mapping_s = 0, std::vector<std::int32_t> of_atmosphere = {1},
                                          int steps = 20, double of_5_s = 5) {
    TimelineLiteral ocean{"ocean", 1, {0}, {}, {}}, atmosphere{"atmosphere", 2, std::move(of_atmosphere), {}, {}};
    for (int n = 0; n < steps; ++n) {
        const double t = of_5_s * n, end = of_5_s * (n + 1);
        ocean.events.push_back({Kind::get, 2, 2, n == 0 ? 0 : t - of_5_s * 3 / 5, t});
        ocean.events.push_back({Kind::put, 1, 2, t + of_5_s * 2 / 5, t + of_5_s * 2 / 5});
        atmosphere.events.push_back({Kind::get, 1, 1, t, t});
        atmosphere.events.push_back({Kind::put, 2, 1, end - mapping_s, end});
        if (mapping_s > 0) atmosphere.events.push_back({Kind::map, 2, 0, end - mapping_s, end});
    }
    return {ocean, atmosphere};
}

// In turn: the atmosphere computes 3 s and sends Q, which is 1.5 s under way; the ocean computes 2 s and sends T,
// which is 0.5 s under way. A step takes 7 s.
std::vector<TimelineLiteral> in_turn() {
    TimelineLiteral ocean{"ocean", 1, {0}, {}, {}}, atmosphere{"atmosphere", 2, {1}, {}, {}};
    for (int n = 0; n < 15; ++n) {
        const double t = 7.0 * n;
        atmosphere.events.push_back({Kind::put, 2, 1, t + 3, t + 3});
        atmosphere.events.push_back({Kind::get, 1, 1, t + 3, t + 7});
        ocean.events.push_back({Kind::get, 2, 2, n == 0 ? 0 : t - 0.5, t + 4.5});
        ocean.events.push_back({Kind::put, 1, 2, t + 6.5, t + 6.5});
    }
    return {ocean, atmosphere};
}

class Asked {
public:
    explicit Asked(const std::vector<TimelineLiteral> &run) { write_run(folder_.path(), run); }

    [[nodiscard]] std::string folder() const { return folder_.path(); }
    // word: of predict.
    [[nodiscard]] Result with(const std::string &options, const std::string &word = "changes") const {
        return command(folder_, call(options, word));
    }
    [[nodiscard]] json told(const std::string &options, const std::string &word = "changes") const {
        return cpl_lb::test::told(folder_, call(options, word));
    }
    [[nodiscard]] double ratio(const std::string &options, const std::string &word = "changes") const {
        return told(options, word).at("ratio").get<double>();
    }
    [[nodiscard]] std::string refused(const std::string &options, int status = 1,
                                      const std::string &word = "changes") const {
        return cpl_lb::test::refused(folder_, call(options, word), status);
    }

private:
    [[nodiscard]] std::string call(const std::string &options, const std::string &word) const {
        return "predict " + word + " " + folder_.path() + " " + options;
    }
    TemporaryFolder folder_;
};

bool holds(const std::string &text, const std::string &words) {
    const bool found = text.find(words) != std::string::npos;
    if (!found) UNSCOPED_INFO(text);
    return found;
}

} // namespace

TEST_CASE("what if: lags, periods and speeds, one by one and together") {
    const Asked run(side_by_side());
    // Both at once: 5 s a step. T of the same step: the atmosphere waits for the ocean, 5 + 2 s.
    CHECK(run.ratio("--lag T=0") == Approx(7. / 5));
    CHECK(run.ratio("--lag T=2") == Approx(1));
    // In every second step 7 s, else 5.
    CHECK(run.ratio("--lag T=0 --every T=2") == Approx(6. / 5));
    CHECK(run.ratio("--faster atmosphere=2") == Approx(2.5 / 5));
    CHECK(run.ratio("--faster atmosphere=10") == Approx(2. / 5)); // the ocean
    CHECK(run.ratio("--faster ocean=2") == Approx(1));
    CHECK(run.ratio("--lag T=0 --faster ocean=2 --faster atmosphere=2") == Approx(3.5 / 5));
    // 2 s of ideal scaling with half the processes is 4 s; the atmosphere needs 2.5.
    CHECK(Asked(side_by_side(0, {1, 2})).ratio("--pes atmosphere=1 --faster atmosphere=4") == Approx(2.5 / 5));
}

TEST_CASE("what if: the answer in words") {
    const Asked run(side_by_side());
    const std::string text = run.with("--faster atmosphere=10").output;
    CHECK(holds(text, "2.500 times as fast; between "));
    CHECK(holds(text, "A year and its cost: n/a, the run has too few steps"));
    CHECK(holds(text, "Slow side then: ocean (100 % of the critical path); as measured: atmosphere (9"));
    CHECK(holds(run.with("--faster atmosphere=2.5").output,
                "Slow side then: ocean and atmosphere, about equally; as "));
    // 40 steps tell the rest of a year, of 365 days with 120 s each, less what start-up takes: two cores, 12.2 h.
    const Asked longer(side_by_side(0, {1}, 40, 2.5));
    CHECK(holds(longer.with("--faster atmosphere=10").output, " core hours instead of "));
    const json told = longer.told("--faster atmosphere=10");
    CHECK(told.at("year_core_hours").get<double>() == Approx(2 * told.at("year_s").get<double>() / 3600));
    CHECK(told.at("year_s").get<double>() == Approx(0.4 * told.at("measured_year_s").get<double>()).epsilon(0.01));
    CHECK(told.at("measured_year_core_hours").get<double>() == Approx(2 * 365 * 100 / 3600.).epsilon(0.03));
}

TEST_CASE("what if: the answer for programs") {
    const json told = Asked(side_by_side()).told("--faster atmosphere=10");
    CHECK(told.at("changes") == json::array({"--faster atmosphere=10"}));
    CHECK(told.at("slow_side") == json::array({"ocean"}));
    CHECK(told.at("measured_slow_side") == json::array({"atmosphere"}));
    const json &atmosphere = told.at("components").at(1);
    CHECK(atmosphere.at("computing_s").get<double>() * 10 ==
          Approx(atmosphere.at("measured_computing_s").get<double>()));
    CHECK(atmosphere.at("critical_share").get<double>() == Approx(0).margin(1e-6));
}

TEST_CASE("what if: transfers") {
    const Asked run(in_turn());
    // 5 s of computing, 2 under way.
    CHECK(run.ratio("--transfer 0.5") == Approx(6. / 7));
    CHECK(run.ratio("--transfer 0") == Approx(5. / 7));
    CHECK(run.ratio("--transfer 2") == Approx(9. / 7));
    CHECK(run.ratio("--transfer 0.5 --faster atmosphere=3") == Approx(4. / 7));
}

TEST_CASE("what if: a mapping is done by the other side") {
    // The atmosphere computes 4 s and maps 1; the ocean computes 2, and then maps, too.
    CHECK(Asked(side_by_side(1)).ratio("--mapping-at ocean") == Approx(4. / 5));
    // On 3 processes 1 s is 3 s on the ocean's one: 5 s, which is now the longest.
    CHECK(Asked(side_by_side(1, {1, 2, 3})).ratio("--mapping-at ocean") == Approx(5. / 5));
    // 2 s of mapping are 4 on one process: 6 s.
    CHECK(Asked(side_by_side(2, {1, 2})).ratio("--mapping-at ocean") == Approx(6. / 5));
    CHECK(holds(Asked(side_by_side(1)).refused("--mapping-at atmosphere"), "are done by it already"));
    CHECK(holds(Asked(side_by_side()).refused("--mapping-at ocean"),
                "no mapping was recorded inside an exchange with ocean: what it takes is not known"));
}

TEST_CASE("what if: other threads, from runs that have them") {
    // With two threads the atmosphere computes 4 s.
    const auto with_threads = [](std::int32_t threads, double step, std::vector<std::int32_t> ranks) {
        std::vector<TimelineLiteral> all = side_by_side(0, std::move(ranks), 20, step);
        all[1].threads = threads;
        return all;
    };
    const Asked run(with_threads(1, 5, {1})), two(with_threads(2, 4, {1})), wide(with_threads(2, 4, {1, 2}));
    CHECK(run.ratio(two.folder() + " --threads atmosphere=2") == Approx(4. / 5));
    CHECK(run.ratio(two.folder() + " --threads atmosphere=2 --lag T=0") == Approx(6. / 5));
    (void)run.refused(two.folder() + " --threads atmosphere=2 --transfer 0.5", 2);
    CHECK(run.told(two.folder() + " --threads atmosphere=2").at("components").at(1).at("cores") == 2);
    // Two processes with two threads 4 s: one process twice as long, by ideal scaling.
    CHECK(run.ratio(wide.folder() + " --threads atmosphere=2") == Approx(8. / 5));
    const std::string text = run.with(wide.folder() + " --threads atmosphere=2").output;
    CHECK(holds(text, "Extrapolated by ideal scaling, a bound and no proof: atmosphere (measured with 4 cores, here "
                      "2).\n"));
    CHECK(holds(text, "uncertainty n/a"));
    CHECK_THAT(run.with(two.folder() + " --threads atmosphere=2").output, !Catch::Contains("Extrapolated"));
    // With --pes: four cores are two processes with two threads.
    CHECK(run.ratio(wide.folder() + " --threads atmosphere=2 --pes atmosphere=4") == Approx(4. / 5));
    CHECK(run.told(wide.folder() + " --threads atmosphere=2 --pes atmosphere=4").at("components").at(1).at("cores") ==
          4);
    CHECK(holds(run.refused(wide.folder() + " --threads atmosphere=2 --pes atmosphere=3"),
                "atmosphere: processes with 2 threads do not fill 3 cores"));
    // One thread each was measured on 1, 2 and 4 cores: 5, 3 and 2.5 s. Two threads, measured on four: 4 s, so
    // 4 x 3 / 2.5 = 4.8 s on two.
    const Asked one(with_threads(1, 3, {1, 2})), four(with_threads(1, 2.5, {1, 2, 3, 4}));
    const std::string all = one.folder() + " " + four.folder() + " " + wide.folder();
    CHECK(run.ratio(all + " --threads atmosphere=2") == Approx(4.8 / 5));
    CHECK(holds(run.with(all + " --threads atmosphere=2").output,
                "Taken to scale as with other threads: atmosphere (measured with 4 cores, here 2).\n"));
    CHECK_THAT(run.with(all + " --threads atmosphere=2 --pes atmosphere=4").output,
               !Catch::Contains("Taken to scale"));
    // Runs with other threads are not on the curve of one thread each.
    CHECK(run.told(all + " --pes atmosphere=4").at("predicted_s").get<double>() ==
          Approx(run.told("--pes ocean=1").at("measured_s").get<double>() / 2));
    // A table: 5 s on one core, and 2 s for one process with four threads.
    std::ofstream(run.folder() + "/threads.csv")
        << "component,processes,threads,seconds\natmosphere,1,1,5\natmosphere,1,4,2\n";
    CHECK(run.ratio("--curves " + run.folder() + "/threads.csv --threads atmosphere=4") == Approx(2. / 5));
    CHECK(holds(run.refused(two.folder() + " --threads atmosphere=4"),
                "no run or table has atmosphere with 4 threads for each process: it was measured with 1 and 2"));
    CHECK(holds(run.refused("--threads ocean=2"), "no run or table has ocean with 2 threads for each process"));
    CHECK(holds(run.refused("--threads wave=2"), "there is no component 'wave'"));
}

TEST_CASE("what if: what the run does not have is refused in one line, with the nearest name") {
    const Asked run(side_by_side());
    CHECK(holds(run.refused("--faster ocen=2"), "the run has no component 'ocen'; did you mean 'ocean'?"));
    CHECK(holds(run.refused("--faster wave=2"), "no component 'wave'; there are ocean, atmosphere"));
    CHECK(holds(run.refused("--faster ocean:dynamics=2"), "ocean has no region 'dynamics'; there is none"));
    CHECK(holds(run.refused("--balanced Ocean"), "did you mean 'ocean'?"));
    CHECK(holds(run.refused("--mapping-at atmosfere"), "did you mean 'atmosphere'?"));
    CHECK(holds(run.refused("--lag t=0"), "no field 't' is exchanged in the run; did you mean 'T'?"));
    CHECK(holds(run.refused("--every FLUX=2"), "no field 'FLUX' is exchanged in the run; there are "));
    CHECK(
        holds(run.refused("--lag T=50"), "T is exchanged 19 times from ocean to atmosphere in the run: 50 are too"));
    CHECK(holds(run.refused("--lag T=0 --lag Q=0"), "would wait for each other for ever"));
    CHECK((holds(run.refused("--lag T=0 --lag Q=0"), "T with lag 0 and Q with lag 0 would") ||
           holds(run.refused("--lag T=0 --lag Q=0"), "Q with lag 0 and T with lag 0 would")));
    CHECK(holds(run.refused("--balanced '*=random'"),
                "why the processes of components wait for each other is not known"));
}

TEST_CASE("what if: what excludes each other, or is no number, is wrong usage") {
    const Asked run(side_by_side());
    for (const char *options :
         {"--lag T=0 --lag T=1", "--every T=2 --every T=3", "--faster ocean=2 --faster ocean=3",
          "--faster ocean=2 --faster ocean:dynamics=3", "--balanced ocean --balanced ocean=static",
          "--output-every 0 --output-every 2", "--lag T", "--lag T=-1", "--sequential ocean,atmosphere",
          "--every T=0", "--every T=1.5", "--faster ocean=0", "--faster ocean=fast", "--balanced ocean=some",
          "--transfer -1", "--output-every -1", "--balanced *=some"})
        (void)run.refused(options, 2);
    for (const char *option : {"--lag T=0", "--pes ocean=2"}) // each change is tried alone
        CHECK(holds(run.refused(option, 2, "what-if"), std::string(option).substr(0, 5)));
}

TEST_CASE("what if: a run that changes half way says so") {
    std::vector<TimelineLiteral> all = side_by_side();
    for (TimelineLiteral &component : all)
        component.events.clear();
    double t = 0;
    for (int n = 0; n < 40; ++n) { // the atmosphere computes 3 s a step, and then 1
        const double step = n < 20 ? 3 : 1;
        all[1].events.push_back({Kind::get, 1, 1, t, t});
        all[0].events.push_back({Kind::put, 1, 2, t, t});
        all[0].events.push_back({Kind::get, 2, 2, t + 0.5, t + step});
        all[1].events.push_back({Kind::put, 2, 1, t + step, t + step});
        t += step;
    }
    const Asked run(all);
    const std::string changes = "Remark: atmosphere computes 3 s a step until step 19 of its loop, then 1 s.\n";
    CHECK(holds(run.with("--faster atmosphere=2").output, changes));
    CHECK(holds(run.with("", "what-if").output, changes));
    CHECK(run.told("", "what-if").at("remarks").size() == 2);
}

TEST_CASE("what if: all changes of a usual size, the best first, and what is worth nothing, too") {
    const Asked run(in_turn());
    const json told = run.told("", "what-if");
    const json &changes = told.at("changes");
    // 7 s: T of the step before saves the atmosphere's wait, 4 s; Q likewise.
    double last = 1;
    for (const json &change : changes) {
        if (!change.at("gain").is_number()) continue;
        CHECK(change.at("gain").get<double>() <= last);
        last = change.at("gain").get<double>();
        if (change.at("option").is_null()) continue; // the best split
        INFO(change.dump());
        CHECK(run.ratio(change.at("option").get<std::string>()) ==
              Approx(1 - change.at("gain").get<double>()).margin(1e-4));
    }
    const auto one = [&](const std::string &words) {
        const auto found =
            std::find_if(changes.begin(), changes.end(), [&](const json &c) { return c.at("words") == words; });
        REQUIRE(found != changes.end());
        return found->at("gain").get<double>();
    };
    CHECK(one("transfers that take half") == Approx(1. / 7));
    CHECK(one("10 % off ocean") == Approx(0.2 / 5)); // of the 5 s that are computed: transfers scale with them
    const std::string text = run.with("", "what-if").output;
    CHECK(holds(text, "Each change alone, in % of the "));
    CHECK(holds(text, "\ntransfers that take half "));
}

// Side by side: 5 s and 2 s on a core each. In turn on both cores: 2.5 + 1 s.
TEST_CASE("what if: components in turn") {
    const Asked run(side_by_side());
    CHECK(run.ratio("--sequential ocean,atmosphere", "layout") == Approx(3.5 / 5));
    CHECK(run.ratio("--sequential atmosphere,ocean --faster atmosphere=5", "layout") == Approx(1.5 / 5));
    const json told = run.told("--sequential ocean,atmosphere", "layout");
    CHECK(told.at("in_turn").at(0).size() == 2);
    CHECK(told.at("components").at(0).at("computes_on_cores") == 2);
    CHECK(told.at("components").at(0).at("cores") == 1);
    CHECK(holds(run.with("--sequential ocean,atmosphere", "layout").output,
                " in turn on 2 cores, in the order that takes least: if each scales ideally to these."));
    CHECK(holds(run.refused("--sequential ocen,atmosphere", 1, "layout"), "did you mean 'ocean'?"));
    CHECK(holds(run.refused("--concurrent ocean,atmosphere", 1, "layout"), "have processes of their own already"));
    CHECK(holds(run.refused("--sequential ocean,atmosphere --sequential atmosphere,ocean", 1, "layout"),
                "stands in two groups"));
    CHECK(holds(run.refused("--sequential ocean", 2, "layout"),
                "--sequential: not the names of two components or more: 'ocean'"));
    CHECK(holds(run.refused("--concurrent ocean,", 2, "layout"),
                "--concurrent: not the names of two components or more"));
    for (const char *beside : {"--pes", "--threads", "--mapping-at"})
        CHECK(holds(run.refused(std::string("--sequential ocean,atmosphere ") + beside + " ocean", 2, "layout"),
                    beside));
    CHECK(holds(run.refused("--html x.html", 2), "a change is missing, such as --lag SST=1; a page of what each "
                                                 "change of a usual size would bring: cpl-lb predict what-if DIR"));
    CHECK(holds(run.refused("", 2), "a change is missing, such as --lag SST=1 (see"));
    for (const char *without : {"", "--lag T=1"})
        CHECK(holds(run.refused(without, 2, "layout"),
                    "--sequential or --concurrent is missing, such as --sequential ice,ocean"));
}
