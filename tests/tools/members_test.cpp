// Ensembles as a user sees them: summary and report on 60 members of three components.
#include "tests/json.hpp"
#include "tests/members_folder.hpp"
#include "tests/tools/command.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace cpl_lb;
using test::command;
using test::TemporaryFolder;
using test::write_ensemble;

namespace {

std::string as_one_line(std::string text) {
    for (char &c : text)
        if (c == '\n') c = ' ';
    return text;
}

bool has(const std::string &text, const std::string &part) {
    const bool is = text.find(part) != std::string::npos;
    if (!is) UNSCOPED_INFO(text.substr(0, 4000));
    return is;
}

} // namespace

// Of 20 steps 18 lie between the second and the last exchange. In each, members wait in GET from 1 s to 1.2 s, the
// slow one from 1.1 s on, and in PUT for 0.01 s: 18 x 0.21 s = 3.78 s and 18 x 0.11 s = 1.98 s.
TEST_CASE("60 members of three components are three rows in the text and on the page") {
    const TemporaryFolder folder;
    write_ensemble(folder / "", {});
    const auto summary = command(folder, "summary " + (folder / ""));
    INFO(summary.errors);
    REQUIRE(summary.status == 0);
    for (const char *row : {"\natmosphere_* x 60 ", "\nocean_* x 60 ", "\nice_* x 60 "})
        CHECK(has(summary.output, row));
    CHECK(has(summary.output, "(1.980 to 3.780)\n"));
    CHECK(has(as_one_line(summary.output), "atmosphere_* (60 members) spends "));
    const auto none = command(folder, "summary --members none " + (folder / ""));
    CHECK_FALSE(has(none.output + " ", "members"));
    CHECK(has(none.output, "\natmosphere_001 "));
    const auto wrong = command(folder, "summary --members atmosphere " + (folder / ""));
    CHECK(wrong.status != 0);
    CHECK(has(wrong.errors, "'atmosphere' is no name with one * in it, as atmosphere_*"));

    const auto json = nlohmann::json::parse(command(folder, "summary --json " + (folder / "")).output);
    CHECK(json["components"].size() == 180);
    CHECK_FALSE(json.contains("members"));

    const auto report = command(folder, "report " + (folder / ""));
    INFO(report.errors);
    REQUIRE(report.status == 0);
    const std::string page = folder / "load_balancing_report.html";
    CHECK(std::filesystem::file_size(page) < 10'000'000);
    CHECK(has(test::contents(page), "atmosphere_* \\u00d7 60"));
}
