// Settings through the text of the broadcast: the same afterwards, and damage is refused.
#include "io/settings/settings_codec.hpp"
#include "io/settings/settings_source.hpp"
#include "tests/io/settings_docs.hpp"

#include <catch2/catch.hpp>
#include <cpl_lb/version.h>

using namespace cpl_lb;

namespace {

Settings unusual() {
    Settings settings;
    settings.enabled = settings.timeline_given = true;
    settings.print = false;
    settings.directory = "it's a \"dir\" = /x & 5:y";
    settings.date_first_s = 899999999999999;
    settings.date_last_s = 900000000000000;
    settings.timeout_s = 0.1;
    settings.year_days = 365.2425;
    settings.sample_s = 1e-300;
    settings.analysis_s = 0.3;
    settings.run = "\xC3\xA9t\xC3\xA9";
    settings.submitted = "2026-03-09T14:05:00Z";
    return settings;
}

} // namespace

TEST_CASE("decode gives what was encoded") {
    CHECK(decode_settings(encode(Settings{})) == Settings{});
    CHECK(decode_settings(encode(unusual())) == unusual());
}

TEST_CASE("the longest settings fit into one broadcast") {
    Settings longest = unusual();
    const std::string path(1023, 'p'); // the longest that the table allows
    longest.directory = longest.spool_directory = longest.counters = longest.sysfs_root = longest.procfs_root = path;
    longest.run = std::string(255, 'r');
    longest.components = path;
    CHECK(decode_settings(encode(longest)) == longest);
    CHECK(encode(longest).size() < encoded_settings_max_bytes);
}

TEST_CASE("a path that the root made absolute may be longer than a user may write") {
    Settings settings;
    settings.directory = std::string(3000, 'p');
    CHECK(decode_settings(encode(settings)) == settings);
}

TEST_CASE("no other text is decoded") {
    const std::string good = encode(unusual());
    CHECK_FALSE(decode_settings(""));
    CHECK_FALSE(decode_settings(good + "x"));
    for (std::size_t length = 0; length < good.size(); ++length) {
        CHECK_FALSE(decode_settings(std::string_view(good).substr(0, length)));
    }
    std::string other_version = good;
    other_version.insert(good.find('\n'), "1");
    CHECK_FALSE(decode_settings(other_version));
    CHECK(version_of_settings(other_version) == CPL_LB_VERSION "1");
    CHECK(version_of_settings(good) == CPL_LB_VERSION);
    CHECK(version_of_settings("cpl_lb settings 1\n").empty()); // as before versions were in it
    std::string out_of_range = encode(Settings{});
    out_of_range.replace(out_of_range.find("CORES 1:0"), 9, "CORES 2:-1");
    CHECK_FALSE(decode_settings(out_of_range));
}

TEST_CASE("settings that differ are named as in the namelist") {
    Settings other;
    CHECK(differing_settings(Settings{}, other).empty());
    other.procfs_root = "/elsewhere"; // has no name there
    other.sample_s = 2.0;
    other.spool = true;
    CHECK(differing_settings(Settings{}, other) == std::vector<std::string_view>{"ln_spool", "rn_sample"});
}

TEST_CASE("a namelist made from settings reads back as the same") {
    for (const Settings &settings : {default_settings_of_namelist(), unusual()}) {
        const SettingsResult result = load_settings({"f", test::namelist_of(settings)}, {});
        CHECK(result.error.empty());
        Settings expected = settings;
        expected.timeline_given = true; // each name stands there
        CHECK(result.settings == expected);
    }
}
