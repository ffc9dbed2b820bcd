// What the page's timeline draws over the rows: last arrivals, exchanges, the critical path.
#include "page/page_file.hpp"
#include "page/page_json.hpp"
#include "tests/page/has.hpp"
#include "tests/temporary_folder.hpp"

using namespace cpl_lb;
using test::check_has, test::contents, test::has, test::TemporaryFolder;

namespace {

// One component with four events on so many processes: GET, MAP, a PUT in which nobody took part, GET.
CoupledRun run_of_four(std::size_t processes) {
    CoupledRun run;
    Component &c = run.components.emplace_back();
    c.name = "ocean";
    c.id = 3;
    c.ranks.resize(processes);
    c.events = 4;
    c.table.keys = {{Kind::get, 1, 2, no_date, 0},
                    {Kind::map, 1, 0, no_date, 0},
                    {Kind::put, 1, 2, no_date, 0},
                    {Kind::get, 1, 2, no_date, 1}};
    c.table.spans = {
        {1'000, 2'000, 5'000, 2}, {3'000, 3'000, 4'000, 2}, EventSpan{}, {6'000, 10'000, 9'000, 2} // left too soon
    };
    return run;
}

} // namespace

TEST_CASE("last arrivals are written as one more process") {
    const TemporaryFolder folder;
    PageFile file(folder / "page", nullptr);
    const JsonTree blocks = write_arrivals(file, run_of_four(1'000'000)); // 4,000,000 events x processes
    file.commit();
    CHECK(blocks.dump(-1) == R"([{"component":3,"id":"a3","exchanges":3,"gap_bytes":1,"length_bytes":1}])");
    // Starts 2 and 10 us: gaps 2 and 8, as zigzag 4 and 16. Lengths 3 and 0 us and one more; 0: nobody took part.
    const std::string bytes = {4, 0, 16, 4, 0, 1};
    CHECK(has(contents(folder / "page"), "id=\"a3\" data-packed=\"no\">" + base64(bytes) + "<"));
}

// As the root of a run has it, which gets the exchanges of other components only.
TEST_CASE("last arrivals are the same without the events that are no exchanges") {
    const TemporaryFolder folder;
    CoupledRun run = run_of_four(1'000'000);
    PageFile whole(folder / "whole", nullptr), exchanges(folder / "exchanges", nullptr);
    const std::string blocks = write_arrivals(whole, run).dump(-1);
    EventTable &table = run.components[0].table;
    table.keys = {{Kind::get, 1, 2, no_date, 0}, {Kind::put, 1, 2, no_date, 0}, {Kind::get, 1, 2, no_date, 1}};
    table.spans.whole().erase(table.spans.whole().begin() + 1);
    CHECK(write_arrivals(exchanges, run).dump(-1) == blocks);
    whole.commit();
    exchanges.commit();
    CHECK(contents(folder / "whole") == contents(folder / "exchanges"));
}

TEST_CASE("no arrivals where the page holds all events, where they are not known, and where they are too many") {
    const TemporaryFolder folder;
    PageFile file(folder / "page", nullptr);
    CHECK(write_arrivals(file, run_of_four(750'000)).empty()); // 3,000,000
    CoupledRun run = run_of_four(750'001);
    CHECK_FALSE(write_arrivals(file, run).empty());
    run.components[0].table_left_out = true;
    CHECK(write_arrivals(file, run).empty());
    run.components[0].table_left_out = false;
    run.components[0].table.spans.whole().resize(60'001); // of which one is no exchange
    for (std::size_t k = 4; k <= 60'000; ++k)
        run.components[0].table.keys.push_back({Kind::get, 1, 2, no_date, static_cast<std::int64_t>(k)});
    CHECK_FALSE(write_arrivals(file, run).empty());
    run.components[0].table.spans.whole().resize(60'002);
    run.components[0].table.keys.push_back({Kind::get, 1, 2, no_date, 60'001});
    CHECK(write_arrivals(file, run).empty());
}

TEST_CASE("the critical path is a list of stretches for each part of the loop that was followed, up to a bound") {
    CoupledRun run;
    run.exchanges_known = true;
    run.balance.loop_s = 1;
    run.balance.path = {{2, {1'000, 3'000}, true}, {1, {3'500, 9'000}, false}, {1, {20'000, 21'000}, true}};
    std::string json = page_json(run).dump(-1);
    CHECK(has(json, R"("line":[[2,1,2,1,4,5],[1,20,1]],"line_is_whole":true)"));
    run.balance.path.assign(30'001, {1, {0, 1'000}, false});
    json = page_json(run).dump(-1);
    check_has(json, {R"("line_is_whole":false)", "\"exchanges\":[]"});
    run.components.emplace_back().table_left_out = true;
    CHECK(has(page_json(run).dump(-1), "\"exchanges\":null"));
}

TEST_CASE("where several steps share a point, the largest and the least of them are kept") {
    ComponentBalance balance;
    balance.step_count = 3;
    for (const double waiting_s : {1.0, 5.0, 2.0}) {
        Step step;
        step.waiting_s = waiting_s;
        step.computing_s = 10 - waiting_s;
        balance.steps.push_back(step);
    }
    // Two points: steps 1 and 2, mean (1 + 5) / 2 = 3; step 3.
    const std::string two = page_steps(balance, 2).dump(-1);
    check_has(two, {R"("waiting_s":[3.0,2.0])",
                    R"("most":{"computing_s":[9.0,8.0],"waiting_s":[5.0,2.0],"jitter_s":[0.0,0.0]})",
                    R"("least":{"computing_s":[5.0,8.0],"waiting_s":[1.0,2.0],"jitter_s":[0.0,0.0]})"});
    CHECK_FALSE(has(page_steps(balance, 3).dump(-1), "\"most\""));
    CHECK_FALSE(has(page_steps(balance, 3).dump(-1), "\"least\""));
    // A step that is the sum of four, 12 s of waiting of which one has 7 s: the mean is 3 s.
    balance.steps.resize(1);
    balance.steps[0].steps = 4;
    balance.steps[0].waiting_s = 12;
    balance.step_extremes.resize(1);
    balance.step_extremes[0].max_waiting_s = 7;
    balance.step_extremes[0].min_waiting_s = 0.5;
    const std::string group = page_steps(balance, 3).dump(-1);
    check_has(group, {R"("waiting_s":[3.0])", R"("waiting_s":[7.0])", R"("waiting_s":[0.5])"});
    balance.step_extremes[0].min_waiting_s = unknown; // a summary of an older version
    CHECK(has(page_steps(balance, 3).dump(-1), R"("waiting_s":[null])"));
}

// 30 steps of 1 s, so that the median is 1 and the usual deviation 0; one is 4 % longer, and eleven take 2, 3, ... 12
// s.
TEST_CASE("the ten steps that differ most are listed, of those that differ by 5 %") {
    ComponentBalance balance;
    for (int i = 0; i < 42; ++i) {
        Step step;
        step.length_s = i < 30 ? 1 : i == 30 ? 1.04 : i - 29;
        balance.steps.push_back(step);
    }
    std::string irregular = page_steps(balance, 42).dump(-1);
    irregular.erase(0, irregular.find("\"irregular\""));
    CHECK(irregular.starts_with(R"("irregular":{"count":11,"worst":[{"step":42,"start_s":0.0,"length_s":12.0,)"));
    int listed = 0;
    for (std::size_t at = 0; (at = irregular.find("\"step\":", at)) != std::string::npos; ++at)
        ++listed;
    CHECK(listed == 10);
}
