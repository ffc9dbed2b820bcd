// Where every core hour goes, in the text summary: figures where MPI was recorded, nothing where it was not.
#include "report/text_sections.hpp"
#include "report/text_summary.hpp"
#include "report/words.hpp"
#include "tests/inside_run.hpp"

#include <catch2/catch.hpp>

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
    const std::string table = mpi_table(test::inside_run());
    CHECK_THAT(table, Contains("ocean       useful           4.000   5.000   6.000          50.00"));
    CHECK_THAT(table,
               Contains("ocean       point to point   1.500   2.000   2.500          20.00              1200\n"));
    CHECK_THAT(table,
               Contains("ocean       collective       0.500   0.750   1.000           7.50                34\n"));
    CHECK_THAT(table,
               Contains("atmosphere  files            0.000   0.500   1.500           2.50                 7\n"));
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
    CHECK_THAT(said(), Contains("Beside the waiting for others, MPI inside the components takes 9.4 % of the core "
                                "time in the coupling loops, "
                                "useful work 29 %.\n"));
    // Without a loop: useful 10 of 20 s on ocean's cores and 13.5 of 60 s on the atmosphere's: 23.5 / 80, and all the
    // rest is MPI.
    for (Component &c : run.components) {
        c.balance = {};
        c.inside.of_whole_run = true;
    }
    CHECK_THAT(said(),
               Contains("MPI inside the components takes 71 % of the core time in the run, useful work 29 %.\n"));
}

TEST_CASE("a run without MPI recorded says nothing of it") {
    CoupledRun run = test::inside_run();
    for (Component &c : run.components)
        c.inside = {};
    CHECK(efficiency_table(run).empty());
    CHECK(mpi_table(run).empty());
    CHECK_THAT(text_summary(run), !Contains("core hour goes"));
    CHECK_THAT(text_summary(run), !Contains("MPI inside"));
    CHECK_THAT(text_summary(test::inside_run()), Contains("Where every core hour goes (%)"));
}
