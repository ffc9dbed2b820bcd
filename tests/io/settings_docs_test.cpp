// docs/namelist.md lists what the code does: both lists are made from the same table. CPL_LB_APPROVE=1 writes them
// anew.
#include "tests/io/settings_docs.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

using namespace cpl_lb;

namespace {

const std::string page_file = CPL_LB_TEST_DATA "/../../docs/namelist.md";

std::string content(const std::string &file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string range_of(const Setting &setting) {
    if (std::holds_alternative<bool Settings::*>(setting.member)) return "logical";
    if (std::holds_alternative<std::string Settings::*>(setting.member)) {
        if (setting.name == "cn_submitted") return "ISO 8601, or empty";
        return fmt::format("text, {} to {} bytes", setting.least, setting.most);
    }
    const bool integer = std::holds_alternative<std::int64_t Settings::*>(setting.member);
    return fmt::format("{}, {:.15g} to {:.15g}", integer ? "integer" : "real", setting.least, setting.most);
}

std::string table_of_page() {
    std::string table;
    const Settings defaults = default_settings_of_namelist();
    for (const Setting &setting : settings_table()) {
        const std::string name = setting.name.empty() ? std::string(setting.help) : fmt::format("`{}`", setting.name);
        table += fmt::format("| {} | `{}` | {} | `{}` |\n", name, setting.environment, range_of(setting),
                             fortran_literal(defaults, setting));
    }
    return table + fmt::format("| the file with the namelist | `{}` | text | `'{}'` |\n", environment_of_namelist,
                               namelist_default_file);
}

// What stands on the page behind `before`, up to `after`.
struct Part {
    std::string before, after, made;
};

std::vector<Part> parts_of_page() {
    return {{"with their defaults:\n\n```fortran\n", "```\n", test::namelist_of(default_settings_of_namelist())},
            {"| environment | value | default |\n| --- | --- | --- | --- |\n", "\n", table_of_page()}};
}

} // namespace

TEST_CASE("docs/namelist.md is up to date") {
    const char *approve = std::getenv("CPL_LB_APPROVE");
    std::string page = content(page_file);
    for (const auto &[before, after, made] : parts_of_page()) {
        const std::size_t found = page.find(before);
        REQUIRE(found != std::string::npos);
        const std::size_t begin = found + before.size();
        const std::size_t end = page.find("\n" + after, begin) + 1;
        if (approve != nullptr && std::string(approve) == "1") {
            std::ofstream(page_file, std::ios::binary) << page.replace(begin, end - begin, made);
        } else {
            CHECK(page.substr(begin, end - begin) == made);
        }
    }
}

TEST_CASE("the documented namelist has the agreed names and defaults") {
    const std::string text = test::namelist_of(default_settings_of_namelist());
    // Each default as agreed: scripts rely on them.
    for (const char *line :
         {"ln_lb = .true.",      "ln_timeline = .true.",  "ln_report = .true.", "ln_print = .true.",
          "cn_dir = '.'",        "nn_date_first = 0",     "nn_date_last = -1",  "nn_max_mb = 0",
          "rn_timeout = 600.",   "ln_compress = .false.", "ln_spool = .false.", "cn_spool_dir = '/dev/shm'",
          "rn_year_days = 365.", "nn_cores = 0",          "ln_rss = .true.",    "ln_energy = .true.",
          "rn_sample = 1.",      "cn_counters = ''",      "cn_submitted = ''",  "cn_run = ''",
          "rn_analysis = 10."}) {
        const std::string wanted = line;
        const std::size_t name = text.find("   " + wanted.substr(0, wanted.find(' ')) + " ");
        REQUIRE(name != std::string::npos);
        const std::string value = wanted.substr(wanted.find("= ")) + " ";
        CHECK(text.substr(text.find('=', name), value.size()) == value);
    }
    CHECK(text.starts_with("&namcpl_lb\n"));
    CHECK(text.ends_with("\n/\n"));
}

TEST_CASE("the table: twins are the capitals of the name without its type, nothing twice, all members once") {
    std::set<std::string> names;
    for (const Setting &setting : settings_table()) {
        std::string twin(setting.name.empty() ? setting.environment : setting.name);
        if (!setting.name.empty()) {
            twin = "CPL_LB_";
            for (const char c : setting.name.substr(3)) {
                twin.push_back(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
            }
        }
        if (setting.name == "ln_lb") twin = "CPL_LB_ENABLED"; // the one exception
        CHECK(twin == setting.environment);
        CHECK(names.insert(twin).second);
        for (const Setting &other : settings_table()) {
            CHECK((&other == &setting || other.member != setting.member));
        }
    }
}

TEST_CASE("the defaults are in range") {
    Settings settings;
    for (const Setting &setting : settings_table()) {
        if (std::holds_alternative<std::string Settings::*>(setting.member)) continue; // its literal has quotes
        CHECK(assign(settings, setting, fortran_literal(Settings{}, setting)).empty());
    }
    CHECK(settings == Settings{});
}
