// A copy of the template is one file and one row (copied_meter.cmake): its figures come out of a run everywhere.
#include "run_scenario.hpp"
#include "tests/meters/recorded_tree.hpp"

#include <catch2/catch.hpp>
#include <sstream>
#include <sys/wait.h>

using cpl_lb_test::RecordedTree;
using nlohmann::json;
using scenario::run;

static const scenario::Program program("copied_meter_model");

namespace {

// Recorded loadavg of a node; the model overwrites its first number: 1.25, then 3.75.
constexpr const char *recorded = "1.25 0.50 0.25 2/100 4242";

// No other meter, and no sample but the first and the last.
// The kernel of this tree counts time without a processor, and there was none.
std::string environment(const RecordedTree &tree, const std::string &sample_s = "1000") {
    tree.write("self/schedstat", "1000 0 1");
    return "CPL_LB_RSS=0 CPL_LB_ENERGY=0 CPL_LB_SAMPLE=" + sample_s + " CPL_LB_PROCFS=" + tree.root();
}
json meter(const json &meters, const std::string &name) {
    for (const auto &m : meters.at("others"))
        if (m.at("meter") == name) return m;
    return {};
}
json page_data(const scenario::Result &r) {
    const std::string html = scenario::slurp(r.folder / "load_balancing_report.html");
    const std::string opening = R"(<script type="application/json" id="data">)";
    const auto from = html.find(opening) + opening.size();
    return json::parse(html.substr(from, html.find("</script>", from) - from));
}
std::string line_with(const std::string &text, const std::string &words) {
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        if (line.find(words) != std::string::npos) return line;
    return "no line with " + words;
}
std::size_t count_of(const std::string &text, const std::string &words) {
    std::size_t n = 0;
    for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
        ++n;
    return n;
}

} // namespace

TEST_CASE("a copied meter is read in a run, and its figures are in the json, the text and the page") {
    RecordedTree tree("no_meters");
    tree.write("loadavg", recorded);
    const auto r = run("", 2, environment(tree));
    REQUIRE(r.exit_code == 0);
    CHECK(r.complaints.empty());
    const json meters = r.info().at("meters");
    CHECK(meters.at("not_there").empty());
    REQUIRE(meters.at("others").size() == 2);
    // One process reads the node's gauge: 1.25 at the start, 3.75 at the end. (1.25 + 3.75) / 2 = 2.5.
    const json load = meter(meters, "load");
    CHECK((load.at("quantity") == "load" && load.at("unit") == "1"));
    CHECK((load.at("of") == "node" && load.at("measure") == "gauge"));
    CHECK(load.at("over").at("count") == 1);
    CHECK(load.at("over").at("min") == 1.25);
    CHECK(load.at("over").at("mean").get<double>() == Approx(2.5));
    CHECK(load.at("over").at("max") == 3.75);
    // One interval of 1000 s: its largest sample.
    CHECK(load.at("series").at("step_s").get<double>() == Approx(1000));
    CHECK(load.at("series").at("mean") == json::array({3.75}));
    // Each process counts 3.75 - 1.25 = 2.5, together 5, in at least four times 0.05 s: at most 12.5 a second.
    const json counter = meter(meters, "load_counter");
    CHECK((counter.at("of") == "process" && counter.at("measure") == "counter"));
    CHECK(counter.at("over").at("count") == 2);
    CHECK(counter.at("over").at("mean").get<double>() == Approx(2.5));
    CHECK(counter.at("over").at("sum").get<double>() == Approx(5));
    CHECK(counter.at("rate_per_s").at("max").get<double>() > 0);
    CHECK(counter.at("rate_per_s").at("max").get<double>() <= 12.5);

    const std::string text = scenario::slurp(r.folder / "load_balancing_info.txt");
    CHECK(text.find("Other meters") != std::string::npos);
    CHECK(line_with(text, "load          load") == "load          load          1     node     1.250  2.500  3.750");
    CHECK(line_with(text, "load_counter  load").find("process  2.500  2.500  2.500  5.000") != std::string::npos);

    // The page shows what its data has: the same.
    CHECK(page_data(r).at("info").at("meters").at("others") == meters.at("others"));

    if (std::string(CPL_LB_COMMAND).empty()) return; // a build without the command
    const std::string again = (r.folder / "again").string();
    const int status =
        std::system(("'" CPL_LB_COMMAND "' summary '" + r.folder.string() + "' > '" + again + "'").c_str());
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
    CHECK(line_with(scenario::slurp(again), "load          load") == line_with(text, "load          load"));
}

TEST_CASE("a copied meter is sampled while the model runs") {
    RecordedTree tree("no_meters");
    tree.write("loadavg", recorded);
    const auto r = run("", 1, environment(tree, "0.01"));
    REQUIRE(r.exit_code == 0);
    const json load = meter(r.info().at("meters"), "load");
    CHECK(load.at("over").at("min") == 1.25);
    CHECK(load.at("over").at("max") == 3.75);
    // The model spends time at each value.
    CHECK(load.at("over").at("mean").get<double>() > 1.25);
    CHECK(load.at("over").at("mean").get<double>() < 3.75);
    const json series = load.at("series").at("max");
    REQUIRE(series.size() > 2);
    // An interval has no sample where other work on the machine held up the one who samples.
    std::vector<double> known;
    for (const json &value : series)
        if (!value.is_null()) known.push_back(value.get<double>());
    REQUIRE(known.size() > 1);
    CHECK(known.front() == 1.25);
    CHECK(known.back() == 3.75);
}

TEST_CASE("a copied meter that does not work says why, once") {
    RecordedTree tree("no_meters");
    const auto r = run("", 2, environment(tree));
    REQUIRE(r.exit_code == 0);
    CHECK(r.complaints.empty()); // told in the summary
    const json meters = r.info().at("meters");
    CHECK_FALSE(meters.contains("others"));
    REQUIRE(meters.at("not_there").size() == 2);
    const std::string why = tree.root() + "/loadavg: No such file or directory (mount /proc)";
    CHECK(meters.at("not_there").at(0) == "load counter: " + why);
    CHECK(meters.at("not_there").at(1) == "load average: " + why);
    const std::string text = scenario::slurp(r.folder / "load_balancing_info.txt");
    CHECK(count_of(text, "n/a: load average: ") == 1);
    CHECK(count_of(text, "n/a: load counter: ") == 1);
    CHECK(text.find("Other meters") == std::string::npos);
}
