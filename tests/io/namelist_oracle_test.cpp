// Our reader against gfortran's on the same files (tests/data/namelists): valid/ must give the same values to the
// last bit, invalid/ must be rejected by both, and each file of differs/ is listed here with the reason.
#include "io/settings/settings_source.hpp"
#include "io/settings/settings_table.hpp"
#include "support/fmt.hpp"

#include <catch2/catch.hpp>

#include <bit>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace cpl_lb;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> files_of(const std::string &folder) {
    std::vector<fs::path> files;
    for (const auto &entry : fs::directory_iterator(fs::path(CPL_LB_TEST_DATA) / "namelists" / folder)) {
        files.push_back(entry.path());
    }
    REQUIRE_FALSE(files.empty());
    return files;
}

std::string shown(bool value) {
    return value ? "T" : "F";
}
std::string shown(std::int64_t value) {
    return fmt::format("{}", value);
}
std::string shown(double value) {
    return fmt::format("{:016X}", std::bit_cast<std::uint64_t>(value));
}
std::string shown(const std::string &value) {
    return "[" + value + "]";
}

// In the layout of namelist_oracle.f90.
std::string ours(const fs::path &file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const SettingsResult result = load_settings({file.filename().string(), text}, {});
    if (!result.error.empty()) return "error " + result.error + "\n";
    std::string lines;
    for (const Setting &setting : settings_table()) {
        if (setting.name.empty()) continue;
        const auto value = [&](auto member) { return shown(result.settings.*member); };
        lines += fmt::format("{} {}\n", setting.name, std::visit(value, setting.member));
    }
    return lines;
}

std::string gfortran(const fs::path &file) {
    const std::string command = fmt::format("'{}' '{}'", CPL_LB_NAMELIST_ORACLE, file.string());
    const std::unique_ptr<FILE, int (*)(FILE *)> pipe(::popen(command.c_str(), "r"), ::pclose);
    REQUIRE(pipe);
    std::string text;
    for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) {
        text.push_back(static_cast<char>(c));
    }
    return text;
}

bool rejected(const std::string &lines) {
    return lines.starts_with("error ");
}

struct Difference {
    bool we_reject;
    bool gfortran_rejects;
    const char *reason;
};

const std::map<std::string, Difference> differences = {
    // We are stricter: what gfortran makes of these files is never what was meant.
    {"twolines_str", {true, false, "a forgotten quote would swallow the next lines in silence"}},
    {"unquoted_path", {true, false, "the '/' of a path without quotes ends the group in silence"}},
    {"logical_junk", {true, false, "anything that starts with .t or .f counts as a logical"}},
    {"logical_dot", {true, false, "a lone dot counts as no value"}},
    {"real_inf", {true, false, "no setting can be infinite"}},
    {"real_nan", {true, false, "no setting can be NaN"}},
    {"real_over", {true, false, "1e999 is read as infinity"}},
    {"real_under", {true, false, "1e-999 is read as zero"}},
    {"substring", {true, false, "parts of strings: of no use here"}},
    {"text_before_amp", {true, false, "a group starts a line; a sentence may mention it"}},
    {"semicolon", {true, CPL_LB_GFORTRAN_14 != 0, "separates values only with a decimal comma; gfortran 14 agrees"}},
    {"question", {true, false, "a question to an interactive reader"}},
    {"zero_byte", {true, false, "gfortran drops bytes that are zero"}},
    {"end_and_letter", {true, false, "&endx is no &end"}},
    // We are laxer: these files are clear.
    {"no_final_line_end", {false, true, "editors forget the last line end"}},
    {"no_final_line_end_after_end", {false, true, "as above"}},
    {"comment_between", {false, true, "a comment between '=' and the value is legal Fortran"}},
    {"logical_trailing_dot", {false, true, "false. is legal Fortran"}},
    {"null_repeat_twice", {false, true, "null values say nothing, however many"}},
    {"value_nulls", {false, true, "as above"}},
    {"value_repeated_null", {false, true, "as above"}},
    {"text_mention", {false, true, "a sentence that mentions the group starts it in gfortran"}},
    // Both accept, with other values.
    {"other_in_str", {false, false, "gfortran finds our group inside a string of another group"}},
};

} // namespace

TEST_CASE("files in valid/ give gfortran's values") {
    for (const fs::path &file : files_of("valid")) {
        INFO(file.filename());
        const std::string lines = ours(file);
        CHECK_FALSE(rejected(lines));
        CHECK(lines == gfortran(file));
    }
}

TEST_CASE("files in invalid/ are rejected by both") {
    for (const fs::path &file : files_of("invalid")) {
        INFO(file.filename());
        CHECK(rejected(ours(file)));
        CHECK(rejected(gfortran(file)));
    }
}

TEST_CASE("files in differs/ differ as listed") {
    for (const fs::path &file : files_of("differs")) {
        INFO(file.filename());
        const auto listed = differences.find(file.stem().string());
        REQUIRE(listed != differences.end());
        INFO(listed->second.reason);
        CHECK(rejected(ours(file)) == listed->second.we_reject);
        CHECK(rejected(gfortran(file)) == listed->second.gfortran_rejects);
        CHECK(ours(file) != gfortran(file));
    }
    CHECK(files_of("differs").size() == differences.size());
}
