// Where every core hour goes, in the text summary: figures where MPI was recorded, nothing where it was not.
#include "report/text_sections.hpp"
#include "report/text_summary.hpp"
#include "report/words.hpp"
#include "tests/inside_run.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace cpl_lb;
using Catch::Contains;

TEST_CASE("efficiencies as text") {
    CoupledRun run = test::inside_run();
    const std::string table = efficiency_table(run);
    CHECK_THAT(table, Contains("ocean       50.00     80.00   62.50         83.33          75.00\n"));
    CHECK_THAT(table, Contains("atmosphere  22.50     25.00   90.00         90.00         100.00\n"));
    // 23.5 / 80, 31 / 80, 23.5 / 31; no load balance between components.
    CHECK_THAT(table, Contains("All cores   29.38     38.75   75.81"));
    CHECK_THAT(table, Contains("total = coupling x inside, inside = load balance x communication\n"));
    for (const char *line : {"\ncoupling: ", "\ninside: ", "\nload balance: ", "\ncommunication: "})
        CHECK_THAT(table, Contains(line));
    CHECK_THAT(table, !Contains("Above 100"));
    CHECK_THAT(table, !Contains("n/a"));
    run.components[1].balance.computing_s = 4.5; // of which 5 s are useful on two processes
    CHECK_THAT(efficiency_table(run), Contains("111.11") && Contains("Above 100"));
}

TEST_CASE("time in MPI as text: classes that were used") {
    const std::string table = mpi_table(test::inside_run()).text;
    CHECK_THAT(table, Contains("ocean       useful           4.000   5.000   6.000      50.00"));
    CHECK_THAT(table, Contains("ocean       point to point   1.500   2.000   2.500      20.00              1200\n"));
    CHECK_THAT(table, Contains("ocean       collective       0.500   0.750   1.000       7.50                34\n"));
    CHECK_THAT(table, Contains("atmosphere  files            0.000   0.500   1.500       2.50                 7\n"));
    CHECK_THAT(table, !Contains("one-sided"));
    CHECK_THAT(table, !Contains("atmosphere  collective"));
}

TEST_CASE("efficiencies: why there are none, and of which time they are") {
    CoupledRun run = test::inside_run();
    run.components[0].inside = {};
    run.components[0].inside.why_not = "MPI was recorded on 1 of its 2 processes only";
    Component &alone = run.components[1];
    alone.inside.of_whole_run = true;
    alone.balance = {};
    const std::string table = efficiency_table(run);
    CHECK_THAT(table, Contains("n/a: inside ocean: MPI was recorded on 1 of its 2 processes only\n"));
    CHECK_THAT(table,
               Contains("atmosphere has no coupling loop: its figure for inside is of the whole run,\n20.000 s\n"));
    CHECK_THAT(table, Contains("atmosphere    n/a       n/a   22.50         90.00          25.00\n"));
    CHECK_THAT(table, Contains("ocean         n/a     80.00     n/a           n/a            n/a\n"));
}

TEST_CASE("where the core hours go, in a sentence") {
    CoupledRun run = test::inside_run();
    const auto said = [&run] {
        std::string all;
        for (const std::string &sentence : plain_words(run))
            all += sentence + "\n";
        return all;
    };
    // Useful 23.5 / 80 = 29.4 %; computing 31 / 80, less the useful time: 7.5 / 80 = 9.4 %.
    CHECK_THAT(said(), Contains("Apart from waiting for others, MPI inside the components takes 9.4 % of the core "
                                "time in the coupling loops; useful work takes 29 %.\n"));
    // Without a loop: useful 10 of 20 s on ocean's cores and 13.5 of 60 s on the atmosphere's: 23.5 / 80, and all the
    // rest is MPI.
    for (Component &c : run.components) {
        c.balance = {};
        c.inside.of_whole_run = true;
    }
    CHECK_THAT(
        said(),
        Contains("MPI inside the components takes 71 % of the core time in the run; useful work takes 29 %.\n"));
    CHECK_THAT(said(), Contains("No coupling loop is known: these figures are of the whole run.\n"));
}

TEST_CASE("who talks to whom, as text") {
    CoupledRun run = test::inside_run();
    CHECK(traffic_table(run).empty());
    Component &atmosphere = run.components[1];
    test::add_traffic(atmosphere);
    // 400 + 20 messages, 3 + 1 MiB, most of them from process 0 to 1; 1.5 + 0.5 + 0.25 s.
    const std::string table = traffic_table(run);
    CHECK_THAT(table, Contains("atmosphere") && !Contains("ocean"));
    CHECK_THAT(table, Contains(" 420  4.000 ") && Contains(" 3.000 ") && Contains(" 2.250\n"));
    CHECK_THAT(table,
               Contains("process 0 is waited for by 2 of the others, 100 times: 2.000 s, and\n4.000 s together"));
    CHECK_THAT(table, Contains("at least 5.0 % of the core time of its coupling\nloop")); // 3 of 60 s
    CHECK_THAT(table, Contains("process 1 is waited for by 1 of the others"));            // 1 of 60 s: 1.7 %
    atmosphere.inside.traffic.waited_for[1].with_others_s = 0.25; // from it alone: the time is said once
    CHECK_THAT(traffic_table(run), Contains("process 1 is waited for by 1 of the others, 12 times: 0.250 s; at"));
    CHECK_THAT(text_summary(run),
               Contains("Messages between the processes of a component (point to point, in the run)"));
    atmosphere.inside.traffic.messages_to_others = 7;
    CHECK_THAT(traffic_table(run), Contains("without 7 messages to partners"));
    // 130 processes: group 3 has 7 and 8 (7 = 3 x 130 / 64, rounded up).
    atmosphere.ranks.resize(130);
    atmosphere.inside.traffic.groups = 64;
    atmosphere.inside.traffic.pairs = {{3, 63, 1, 8, 0}};
    CHECK_THAT(traffic_table(run), Contains(" 7-8 ") && Contains(" 128-129 "));
}

TEST_CASE("messages of fields, as text: those with most bytes") {
    CoupledRun run = test::inside_run();
    CHECK(field_traffic_table(run).empty());
    run.components[0].fields = {{"small", "", 1, 1024}, {"sst", "atmosphere", 40, 2 << 20}};
    const std::string table = field_traffic_table(run);
    CHECK(table.find("sst") < table.find("small"));
    CHECK_THAT(table, Contains("ocean      sst    atmosphere         40  2.000\n"));
    CHECK_THAT(table, Contains("ocean      small  (not known)         1  0.001\n"));
    run.components[0].fields.resize(12, {"other", "atmosphere", 1, 8});
    CHECK_THAT(field_traffic_table(run), Contains("ocean: the 10 fields with most bytes of 12\n"));
}

// 2 % of 60 s are 1.2 s.
TEST_CASE("who is waited for again and again, in a sentence") {
    CoupledRun run = test::inside_run();
    Component &atmosphere = run.components[1];
    test::add_traffic(atmosphere);
    WaitedFor &late = atmosphere.inside.traffic.waited_for[0];
    const std::string said =
        "Inside atmosphere, at least 5.0 % of the core time of the coupling loop goes into waiting for messages "
        "from process 0, from it alone or from it and others.";
    const auto words = [&] { return late_sender_sentences(run); };
    CHECK(words() == std::vector<std::string>{said});
    const std::vector<std::string> all = plain_words(run);
    CHECK(std::find(all.begin(), all.end(), said) != all.end());
    late.waited_s = late.with_others_s = 4;
    REQUIRE(words().size() == 1);
    CHECK_THAT(words()[0], Contains("from process 0, from it alone."));
    late.waits = 9;
    CHECK(words().empty());
    late.waits = 10;
    CHECK(words().size() == 1);
    late.in_loop_s = 1.49; // 1.5 times the next one's second
    CHECK(words().empty());
    late.in_loop_s = 1.5;
    CHECK(words().size() == 1);
    atmosphere.inside.traffic.waited_for.resize(1);
    late.in_loop_s = 1.19;
    CHECK(words().empty());
    late.in_loop_s = 1.21;
    CHECK(words().size() == 1);
    atmosphere.inside.of_whole_run = true;
    CHECK_THAT(words().at(0), Contains("of the core time of the run goes into"));
}

TEST_CASE("a run without MPI recorded says nothing of it") {
    CoupledRun run = test::inside_run();
    for (Component &c : run.components)
        c.inside = {};
    CHECK(efficiency_table(run).empty());
    CHECK(mpi_table(run).text.empty());
    CHECK_THAT(text_summary(run), !Contains("core hour goes"));
    CHECK_THAT(text_summary(run), !Contains("MPI inside"));
    CHECK_THAT(text_summary(test::inside_run()), Contains("Where every core hour goes (%)"));
}
