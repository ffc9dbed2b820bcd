// Step 4 alone, second half: ids of components, fields and kinds.
#include "run/live/steps/one_list.hpp"

#include "tests/run/steps/step_by_hand.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::testing;

// By component, kind, field, counterpart: PUT is kind 1, GET 2, TERM 10.
TEST_CASE("names: the same list on all") {
    const int ranks = GENERATE(1, 3, 8);
    INFO(ranks << " ranks");
    const auto all = step_on<Catalogue>(quick_world(ranks), [](Transport &t, Catalogue &mine) {
        ProcessRecord record = record_of(t, settings_in("."));
        ProblemList problems(t.rank(), {});
        const DecodedRecord decoded = decode_record(record, problems);
        Group present(t, first_ranks(t.size()));
        mine = agree_on_names(present, decoded);
    });
    REQUIRE(all.good());
    for (const Catalogue &mine : all.results) {
        CHECK(mine.component_names == std::vector<std::string>{"ocean", "atmosphere"}); // of one rank: named only
        CHECK(mine.field_names == std::vector<std::string>{"SST"});
        std::vector<ClassOfComponent> classes = {{1, {Kind::put, 1, 2}}, {1, {Kind::term, 0, 0}}};
        if (ranks > 1) {
            classes.push_back({2, {Kind::get, 1, 1}});
            classes.push_back({2, {Kind::term, 0, 0}});
        }
        CHECK(mine.classes == classes);
        REQUIRE(mine.members.size() == (ranks > 1 ? 2U : 1U));
        std::vector<std::int32_t> even;
        for (int r = 0; r < ranks; r += 2)
            even.push_back(r);
        CHECK(mine.members[0] == even);
        CHECK(mine.class_of({"ocean", Kind::put, "SST", "atmosphere"}) == 0);
        CHECK(mine.class_of({"ocean", Kind::term, {}, {}}) == 1);
    }
}
