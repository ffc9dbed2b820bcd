// What the answers of the command say, beside truths worked out by hand: each sentence that was false once.
#include "tests/tools/told.hpp"

#include <fstream>
#include <sstream>

using namespace cpl_lb;
using namespace cpl_lb::test;

namespace {

struct Alternating {
    double ocean_s = 0, under_way_s = 0, atmosphere_s = 0; // of a step, one after the other
    int steps = 12;
};

// Ocean computes, its T is under way, atmosphere computes, and its Q lets ocean go on. Two processes each.
std::vector<TimelineLiteral> alternating(const Alternating &a) {
    TimelineLiteral ocean{"ocean", 1, {0, 1}, {}, {}}, atmosphere{"atmosphere", 2, {2, 3}, {}, {}};
    const double step_s = a.ocean_s + a.under_way_s + a.atmosphere_s;
    for (int n = 0; n < a.steps; ++n) {
        const double begin = step_s * n, sent = begin + a.ocean_s, end = begin + step_s;
        ocean.events.push_back({Kind::put, 1, 2, sent, sent});
        ocean.events.push_back({Kind::get, 2, 2, sent, end});
        atmosphere.events.push_back({Kind::get, 1, 1, begin, sent + a.under_way_s});
        atmosphere.events.push_back({Kind::put, 2, 1, end, end});
    }
    return {ocean, atmosphere};
}

// What a command prints of the run, of which a summary says this.
std::string answer(const std::vector<TimelineLiteral> &run, const std::string &command_line,
                   const std::function<void(Component &)> &say = {}) {
    const TemporaryFolder folder;
    write_run(folder.path(), run);
    if (say) tell(folder, run, say);
    const std::size_t name = command_line.find(' ');
    const Result r = command(folder, command_line.substr(0, name) + " " + folder.path() + command_line.substr(name));
    return r.output + r.errors;
}

// The verdict, in one line.
std::string verdict(const std::vector<TimelineLiteral> &run) {
    std::string text = answer(run, "summary ");
    text.resize(std::min(text.size(), text.find("\n\n")));
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

// The line that begins so, its words one blank apart.
std::string line_of(const std::string &text, const std::string &begin, const std::string &after) {
    const std::size_t from = text.find("\n" + begin, text.find(after));
    if (from == std::string::npos) return "";
    std::istringstream words(text.substr(from + 1, text.find('\n', from + 1) - from - 1));
    std::string line, word;
    while (words >> word)
        line += (line.empty() ? "" : " ") + word;
    return line;
}

} // namespace

// Ocean 8 s, 1 s under way, atmosphere 1 s. The loops have 18 to 110 s in common: 1 s under way and 1 of the
// atmosphere, then 9 whole steps. Ocean 72 of 92 s, 78.26 %; atmosphere 10, 10.87 %. The path has 82 s of computing,
// and ocean is 87.8 % of that.
TEST_CASE("the share of the critical path is one figure, of the loop: verdict, table, predict") {
    const std::vector<TimelineLiteral> run = alternating({8, 1, 1});
    const std::string summary = answer(run, "summary "), predicted = answer(run, "predict ");
    INFO(summary << predicted);
    CHECK(says(summary, "ocean is the bottleneck: atmosphere spends"));
    CHECK(line_of(summary, "ocean", "% of the loop") == "ocean 72.000 78.26 2 3");
    CHECK(line_of(predicted, "ocean", "on critical path") == "ocean 2 72.000 20.000 72.000 78.26");
    CHECK(line_of(predicted, "atmosphere", "on critical path") == "atmosphere 2 10.000 82.000 10.000 10.87");
    CHECK_FALSE(says(summary + predicted, "87."));
}

// In 12 steps of 10 s ocean computes 2, 4 are under way, atmosphere computes 4. The loops have 12 to 110 s in common,
// 98 s: 4 under way and 4 of the atmosphere, then 9 steps: 40 s under way, 58 s of computing; 98 / 58 is 1.69.
TEST_CASE("what alpha corrects is under way only where it was measured, and on a disturbed machine that is said") {
    const std::vector<TimelineLiteral> run = alternating({2, 4, 4});
    const std::string quiet = answer(run, "predict ");
    INFO(quiet);
    CHECK(says(quiet, "explain the loop only with a correction of 69 %"));
    CHECK(says(quiet, "In 41 % of the loop nobody on the critical path computes: data are under way"));

    const std::string disturbed = answer(run, "predict ", [](Component &c) {
        NoProcessor &none = c.no_processor; // 40 of the 100 s of its own loop, 38 outside of MPI
        if (c.name != "atmosphere") return;
        none.of_processes.add(1);
        none.of_processes.add(40);
        none.outside.add(38);
        none.most = none.most_outside = 3;
    });
    INFO(disturbed);
    CHECK(says(disturbed, "explain the loop only with a correction of 69 %"));
    CHECK(says(disturbed, "Caution: processes of atmosphere were ready to compute and had no core for up to 38 s "
                          "(38 %) of the loop, process 3 most, so these figures may be unreliable."));
    CHECK_FALSE(says(disturbed, "under way"));
    CHECK_FALSE(says(disturbed, "transfers"));
}

// One after the other, 5 s each on two cores. With three cores for one, 10 / 3 s and 10 s: 13.3 s.
TEST_CASE("summary and balance say the same of a run that no other split helps") {
    const std::vector<TimelineLiteral> run = alternating({5, 0, 5});
    CHECK(says(verdict(run),
               "According to the model, no other split of the same cores would make the loop much shorter."));
    const std::string balanced = answer(run, "balance --total 4");
    INFO(balanced);
    CHECK(says(balanced, "\nNothing to move: by the model no other counts are better.\n"));
    CHECK_FALSE(says(balanced, "times as fast"));
}

// The loops have 15 to 110 s in common. With 1 and 3 cores ocean's 45 s are 90, atmosphere's 50 are 33.3: not less
// than 95 s.
TEST_CASE("no advice where the present counts are better than all that are allowed") {
    const std::string balanced = answer(alternating({5, 0, 5}), "balance --total 4 --max ocean=1");
    INFO(balanced);
    CHECK(says(balanced,
               "\nNo advice: the loop takes 126.667 s with the best of these counts, and 95.000 s with the present "
               "ones, which are not among them.\n"));
    CHECK_FALSE(says(balanced, "Give "));
    CHECK_FALSE(says(balanced, "times as fast"));
}

// 100 s of the atmosphere on one core, 0.05 s of the coupler.
TEST_CASE("measure next names nobody who computes next to nothing") {
    const TemporaryFolder folder;
    std::ofstream(folder / "curves.csv")
        << "component,processes,seconds\natm,1,100\natm,8,20\ncpl,1,0.05\ncpl,8,0.02\n";
    const std::string text =
        command(folder, "balance table --curves " + (folder / "curves.csv") + " --layout 'max(atm,cpl)' --total 6")
            .output;
    INFO(text);
    CHECK(says(text, "\nMeasure next: atm with "));
    CHECK_FALSE(says(text, "Measure next: cpl"));
}

// 19200 / p + 10 goes through both times of the ocean: 310 s with 64.
TEST_CASE("between two measured counts: what the time may be, and what to measure") {
    const TemporaryFolder folder;
    std::ofstream(folder / "curves.csv")
        << "component,processes,seconds\nocean,48,410\nocean,96,210\natm,32,600\natm,64,300\natm,128,150\n";
    const std::string arguments = "balance table --curves " + (folder / "curves.csv") +
                                  " --layout 'max(ocean,atm)' --total 128 --allowed ocean=64,atm=64";
    const std::string text = command(folder, arguments).output;
    INFO(text);
    CHECK(says(text, "310.000 s, uncertain by 32 %")); // 410 / 310
    CHECK(says(text, "\nocean was not measured between 48 and 96 cores: with 64 its time may be 210 to 410 s.\n"
                     "Measure next: ocean with 64 cores.\n"));
    CHECK_FALSE(says(text, "atm was not measured"));
    const auto answer = nlohmann::json::parse(command(folder, arguments + " --json").output);
    CHECK(answer.at("measure_next").at("ocean") == 64);
    CHECK(answer.at("uncertainty").get<double>() == Approx(410. / 310 - 1));
}

// The best of 6 cores is 5 and 1 or 4 and 2: whatever is measured next, 5 and 2 do not fit into one run.
TEST_CASE("counts to measure that do not fit together are told to be for runs of their own") {
    const TemporaryFolder folder;
    std::ofstream(folder / "curves.csv") << "component,processes,seconds\nocean,1,9\natmosphere,1,4\n";
    const auto asked = [&](const std::string &total) {
        return command(folder, "balance table --curves " + (folder / "curves.csv") +
                                   " --layout 'max(ocean,atmosphere)' --total " + total)
            .output;
    };
    // 9 / 4 = 2.25 s and 4 / 2 = 2 s. Ocean within 2 to 5, as one is left to the atmosphere; atmosphere within 1
    // to 4.
    const std::string text = asked("6");
    INFO(text);
    CHECK(says(text,
               "\nMeasure next: atmosphere with 4 cores.\nMeasure next: ocean with 5 cores.\n"
               "Each of these is for a run of its own, with fewer cores for the others: one run with all of them "
               "would need 9 cores, and there are 6.\n"));
}

// Two runs of one count, whose cycles differ: the atmosphere waits 6 % of its time, and the gain is less than the
// runs tell.
TEST_CASE("a gain that is less than its uncertainty is told with it") {
    const TemporaryFolder folder;
    const auto advice = [&](const std::string &rows) {
        std::ofstream(folder / "curves.csv") << "component,processes,seconds\n" << rows;
        const TemporaryFolder there;
        write_run(there.path(), sleepers()); // ocean 4 s on one core, atmosphere 10 s on two, side by side
        return command(folder, "balance " + there.path() + " --curves " + (folder / "curves.csv") + " --total 4")
            .output;
    };
    const std::string little = advice("ocean,1,4\natmosphere,2,10\natmosphere,3,9.5\n");
    INFO(little);
    CHECK(says(little, "1.05 times as fast"));
    CHECK(says(little, " Within this uncertainty the loop may also get longer.\n"));
    const std::string much = advice("ocean,1,4\natmosphere,2,10\natmosphere,3,7\n");
    INFO(much);
    CHECK(says(much, "1.43 times as fast"));
    CHECK_FALSE(says(much, "may also"));
}

TEST_CASE("runs that tell nothing: one sentence that says what cannot be known, no advice") {
    const auto no_advice = [](const std::vector<TimelineLiteral> &run, const std::string &why) {
        for (const char *what : {"predict ", "predict --pes ocean=1", "balance --total 4"}) {
            const std::string text = answer(run, what);
            INFO(what << "\n" << text);
            CHECK(std::count(text.begin(), text.end(), '\n') == 1);
            CHECK(says(text, why));
        }
    };
    // One step, and two: the first belongs to the start.
    CHECK(
        verdict(alternating({5, 0, 5, 1})) ==
        "Not judged: ocean (the most frequent coupling event, PUT, happened once; three are needed); atmosphere (the "
        "most frequent coupling event, GET, happened once; three are needed).");
    no_advice(alternating({5, 0, 5, 1}),
              "ocean has no coupling loop: the most frequent coupling event, PUT, happened once");
    no_advice(alternating({5, 0, 5, 2}), "PUT, happened 2 times; three are needed");
    // All idle: 10 s under way.
    CHECK(verdict(alternating({0, 10, 0})) == "No component computes in the coupling loop: all of them wait, for "
                                              "each other or for something outside this run. Who is slow, and "
                                              "what another split could gain, cannot be known.");
    no_advice(alternating({0, 10, 0}), "nobody computes in the coupling loop: nothing to predict");
    CHECK(says(verdict(alternating({0.2, 9.6, 0.2})), "wait for each other")); // 2 % each
    // A clock that is 75 s behind. No lag helps: T of step n would be received six steps later at 10 n - 10 s. With
    // the lag of most pairs, six, six of T arrived before they were sent, and none of the twelve of Q.
    std::vector<TimelineLiteral> wrong = alternating({5, 0, 5});
    for (TimedEvent &event : wrong[1].events) {
        event.start_s -= 75;
        event.stop_s -= 75;
    }
    CHECK(verdict(wrong) == "The clocks are off by more than their bound: 6 of 18 fields arrived before they were "
                            "sent. Who waits, who is "
                            "slow, and what another split could gain cannot be known.");
    CHECK(says(answer(wrong, "summary "), "\nn/a: the clocks are off by more than their bound: 6 of 18 fields"));
    no_advice(wrong, "the clocks are off by more than their bound: 6 of 18 fields arrived before they were sent");
}

TEST_CASE("a component of no events: it is named, and the others are judged without it") {
    std::vector<TimelineLiteral> run = sleepers();
    run.push_back({"ice", 3, {3}, {}, {}});
    CHECK(says(verdict(run), "Not judged: ice (no coupling event of any field)."));
    // Ocean waits 6 of 10 s, on one of three cores: 20 %. 80 of the 84 s in common are the atmosphere's.
    CHECK(says(verdict(run), "atmosphere is the bottleneck: ocean spends 60 % of its time waiting for it. Lost "
                             "to waiting: 20 % of the core time"));
    for (const char *what : {"predict ", "balance --total 4"})
        CHECK(says(answer(run, what),
                   "ice exchanges nothing with any other component of the run (--without ice leaves it out)"));
    CHECK(verdict({{"ocean", 1, {0}, {}, {}}, {"atmosphere", 2, {1}, {}, {}}}) ==
          "Not judged: ocean and atmosphere (no coupling event of any field).");
}
