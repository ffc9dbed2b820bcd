// What holds for all commands: the help, cpl-lb alone, lists of words, the browser.
#include "tests/tools/command.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace cpl_lb;
using test::command;
using test::TemporaryFolder;

namespace {

std::string run_in(const TemporaryFolder &folder) {
    std::string results = folder / "results";
    std::filesystem::copy(CPL_LB_TEST_DATA "/../../data/runs/before", results,
                          std::filesystem::copy_options::recursive);
    return results;
}

// The summary ends with the time that its own gathering took.
std::string begin_of(const std::string &summary) {
    return summary.substr(0, 2000);
}

} // namespace

TEST_CASE("the help begins with four commands, and each has one line of at most 80 columns") {
    const TemporaryFolder folder;
    const std::string help = command(folder, "--help").output;
    const std::size_t first = help.find("\nFirst:\n  summary ");
    REQUIRE(first != std::string::npos);
    const std::string four = help.substr(first + 1, help.find("\n\n", first) - first);
    CHECK(std::count(four.begin(), four.end(), '\n') == 5); // the heading and four commands
    CHECK_THAT(help, !Catch::Contains("Subcommands:"));     // a command without a heading
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
        INFO(line);
        CHECK(line.size() <= 80);
    }
}

TEST_CASE("help of a command in both words") {
    const TemporaryFolder folder;
    for (const std::string name : {"summary", "predict", "import timers"}) {
        const auto asked = command(folder, "help " + name);
        CHECK(asked.status == 0);
        CHECK_THAT(asked.output, Catch::Contains("Usage: cpl-lb " + name));
        CHECK(asked.output == command(folder, name + " --help").output);
    }
    CHECK(command(folder, "help").output == command(folder, "--help").output);
    CHECK(command(folder, "help sumary").errors ==
          "cpl-lb: there is no command 'sumary'; did you mean 'summary'? (see cpl-lb --help)\n");
}

TEST_CASE("cpl-lb alone is the summary where a run left its results, and nowhere else") {
    const TemporaryFolder folder;
    const std::string results = run_in(folder);
    const auto in = [&](const std::string &where, const std::string &arguments) {
        return test::shell(folder, "cd " + where + " && " CPL_LB_COMMAND " " + arguments);
    };
    const auto alone = in(results, "");
    CHECK(alone.status == 0);
    CHECK(alone.output.size() > 100);
    CHECK(begin_of(alone.output) == begin_of(in(results, "summary .").output));
    CHECK(in(folder.path(), "").status == 2);
}

TEST_CASE("a list never takes the folder that comes after it") {
    const TemporaryFolder folder;
    const std::string results = run_in(folder);
    const auto summary = [&](const std::string &arguments) {
        return begin_of(command(folder, "summary " + arguments).output);
    };
    const std::string plain = summary(results + " --order ocean,atmosphere,ioserver");
    REQUIRE(plain.size() > 100);
    CHECK(summary("--order ocean,atmosphere,ioserver " + results) == plain);
    CHECK(summary("--order ocean atmosphere ioserver " + results) == plain);
    CHECK(command(folder, "summary --order ocean atmosphere ioserver --json " + results).status == 0);
    // Its first word belongs to it, whatever there is.
    std::filesystem::create_directory(folder / "ocean");
    const std::string line =
        "cd " + folder.path() + " && " CPL_LB_COMMAND " summary --order ocean atmosphere ioserver results";
    CHECK(begin_of(test::shell(folder, line).output) == plain);
    // An empty list is no list.
    CHECK(command(folder, "summary " + results + " --order").status == 2);
    CHECK(command(folder, "summary " + results + " --order --json").status == 2);
}

TEST_CASE("report --open starts the system's program for pages, and the page is there without it") {
    const TemporaryFolder folder;
    const std::string results = run_in(folder);
    const std::string page = results + "/load_balancing_report.html";
    const std::string stub = folder / "xdg-open";
    std::ofstream(stub) << "#!/bin/sh\nprintf '%s' \"$@\" > " << folder / "opening"
                        << "\nmv " << folder / "opening " << folder / "opened\n";
    std::filesystem::permissions(stub, std::filesystem::perms::owner_all);
    const auto report = [&](const std::string &environment) {
        std::filesystem::remove(page);
        const auto r = test::shell(folder, "env -u WAYLAND_DISPLAY " + environment +
                                               " " CPL_LB_COMMAND " report --open " + results);
        CHECK(r.status == 0);
        CHECK(std::filesystem::exists(page));
        return r.errors;
    };
    CHECK(report("DISPLAY=:9 PATH=" + folder.path() + ":$PATH").empty());
    CHECK(test::shell(folder,
                      "cd " + folder.path() + "; for k in $(seq 200); do [ -e opened ] && break; sleep 0.05; done")
              .status == 0);
    CHECK(test::contents(folder / "opened") == page);
    CHECK(report("-u DISPLAY").find("no display here; copy " + page) != std::string::npos);
    CHECK_THAT(report("DISPLAY=:9 PATH=" + folder / "results"), Catch::Contains("open " + page + " yourself"));
}

TEST_CASE("balance without --total takes the cores of the run") {
    const TemporaryFolder folder;
    const std::string results = run_in(folder);
    const auto without = command(folder, "balance " + results);
    CHECK(without.status == 0);
    CHECK(without.output == command(folder, "balance " + results + " --total 5").output); // 2 + 2 + 1
    CHECK(command(folder, "balance table --curves " + results + "/none.csv --layout 'max(a,b)'").status != 0);
}

TEST_CASE("a word of a command stands right behind it; elsewhere it is a folder, or a mistake that is told") {
    const TemporaryFolder folder;
    const std::string results = run_in(folder);
    const auto told = [&](const std::string &line) {
        const auto r = command(folder, line);
        CHECK(r.status == 2);
        return r.errors;
    };
    const std::string behind =
        "cpl-lb: 'what-if' must stand right behind predict: cpl-lb predict what-if (see cpl-lb "
        "predict --help)\n";
    CHECK(told("predict " + results + " what-if") == behind);
    CHECK(told("predict --json what-if " + results) == behind);
    CHECK(told("predict --without ioserver what-if " + results) == behind);
    CHECK_THAT(told("predict " + results + " layout --sequential ocean,atmosphere"),
               Catch::Contains("'layout' must stand right behind")); // in the old spelling
    CHECK(told("predict whatif") ==
          "cpl-lb: there is no folder 'whatif'; did you mean cpl-lb predict what-if? (see cpl-lb predict --help)\n");
    CHECK_THAT(told("help predict whatif"), Catch::Contains("did you mean cpl-lb predict what-if?"));
    // A value of an option, and a folder.
    CHECK(command(folder, "cpmip " + results + " --name study").status == 0);
    std::filesystem::rename(results, folder / "changes");
    const std::string inside = "cd " + folder.path() + " && " CPL_LB_COMMAND " ";
    CHECK(test::shell(folder, inside + "predict --json changes").status == 0);
    CHECK(test::shell(folder, inside + "predict what-if changes").status == 0);
}
