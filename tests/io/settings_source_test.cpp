// From text and environment to settings: each rule of docs/namelist.md, each kind of mistake.
#include "io/settings/settings_source.hpp"

#include "io/settings/settings_table.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

SettingsResult from(const std::string &body, const Environment &environment = {}) {
    return load_settings({"namelist_cpl_lb", "&namcpl_lb\n" + body + "\n/\n"}, environment);
}

SettingsResult from_environment(const Environment &environment) {
    return load_settings({"namelist_cpl_lb", {}}, environment);
}

// The error of a namelist, which must switch off and change nothing else.
std::string error(const std::string &body) {
    const SettingsResult result = from("ln_print=F\n" + body);
    CHECK(result.settings == Settings{});
    return result.error;
}

std::string environment_error(const Environment &environment) {
    const SettingsResult result = from("ln_print=F", environment);
    CHECK(result.settings == Settings{});
    return result.error;
}

} // namespace

TEST_CASE("no file: off, unless the environment says on") {
    CHECK(from_environment({}).settings == Settings{});
    CHECK_FALSE(from_environment({{"CPL_LB_PRINT", "0"}}).settings.enabled);
    CHECK(from_environment({{"CPL_LB_ENABLED", "1"}}).settings == default_settings_of_namelist());
    CHECK(from_environment({{"CPL_LB_ENABLED", ""}}).settings == Settings{});
    CHECK(from_environment({{"CPL_LB_ENABLED", "1"}, {"CPL_LB_DIR", "out"}}).settings.directory == "out");
}

TEST_CASE("a group without names has the documented defaults") {
    CHECK(from("").settings == default_settings_of_namelist());
    CHECK(from("").error.empty());
    CHECK_FALSE(from("ln_lb=.false.").settings.enabled);
    CHECK_FALSE(from("", {{"CPL_LB_ENABLED", "0"}}).settings.enabled);
}

TEST_CASE("every name is read") {
    const SettingsResult result = from(R"(
        ln_lb=T ln_timeline=F ln_report=F ln_print=F cn_dir='d' nn_date_first=10 nn_date_last=20 nn_max_mb=64
        rn_timeout=1.5 rn_analysis=2.5 ln_compress=T ln_spool=T cn_spool_dir='s' rn_year_days=360. nn_cores=128 ln_rss=F ln_energy=F
        rn_sample=0.5 cn_counters='PAPI_TOT_INS' cn_submitted='2026-03-09T14:05:00Z' cn_run='r')");
    Settings wanted;
    wanted.enabled = wanted.timeline_given = true;
    wanted.timeline = wanted.report = wanted.print = wanted.rss = wanted.energy = false;
    wanted.directory = "d";
    wanted.date_first_s = 10;
    wanted.date_last_s = 20;
    wanted.max_MiB = 64;
    wanted.timeout_s = 1.5;
    wanted.analysis_s = 2.5;
    wanted.compress = wanted.spool = true;
    wanted.spool_directory = "s";
    wanted.year_days = 360.0;
    wanted.cores = 128;
    wanted.sample_s = 0.5;
    wanted.counters = "PAPI_TOT_INS";
    wanted.submitted = "2026-03-09T14:05:00Z";
    wanted.run = "r";
    CHECK(result.error.empty());
    CHECK(result.settings == wanted);
}

TEST_CASE("whether the user asked for timelines is known") {
    CHECK_FALSE(from("").settings.timeline_given);
    CHECK(from("").settings.timeline);
    CHECK(from("ln_timeline=T").settings.timeline_given);
    CHECK(from("", {{"CPL_LB_TIMELINE", "1"}}).settings.timeline_given);
}

TEST_CASE("every name has its twin in the environment, which wins") {
    const Environment environment = {{"CPL_LB_ENABLED", "yes"},
                                     {"CPL_LB_TIMELINE", "off"},
                                     {"CPL_LB_REPORT", "F"},
                                     {"CPL_LB_PRINT", ".false."},
                                     {"CPL_LB_DIR", "d e"},
                                     {"CPL_LB_DATE_FIRST", " 10 "},
                                     {"CPL_LB_DATE_LAST", "20"},
                                     {"CPL_LB_MAX_MB", "64"},
                                     {"CPL_LB_TIMEOUT", "1.5d0"},
                                     {"CPL_LB_ANALYSIS", "2.5"},
                                     {"CPL_LB_COMPRESS", "on"},
                                     {"CPL_LB_SPOOL", "1"},
                                     {"CPL_LB_SPOOL_DIR", "s"},
                                     {"CPL_LB_YEAR_DAYS", "360"},
                                     {"CPL_LB_CORES", "128"},
                                     {"CPL_LB_RSS", "NO"},
                                     {"CPL_LB_ENERGY", "n"},
                                     {"CPL_LB_SAMPLE", "0.5"},
                                     {"CPL_LB_COUNTERS", "PAPI_TOT_INS"},
                                     {"CPL_LB_SUBMITTED", "2026-03-09T14:05:00Z"},
                                     {"CPL_LB_RUN", "r"},
                                     {"CPL_LB_SIMULATED", "86400"},
                                     {"CPL_LB_SYSFS", "/x"},
                                     {"CPL_LB_PROCFS", "/y"}};
    const SettingsResult result = from("ln_lb=F rn_timeout=7 nn_cores=5 cn_dir='z'", environment);
    const SettingsResult alone = from_environment(environment);
    CHECK(result.error.empty());
    CHECK(result.warning.empty());
    CHECK(result.settings == alone.settings);
    const Settings &got = result.settings;
    CHECK((got.enabled && got.compress && got.spool));
    CHECK_FALSE((got.timeline || got.report || got.print || got.rss || got.energy));
    CHECK((got.date_first_s == 10 && got.date_last_s == 20 && got.max_MiB == 64 && got.cores == 128));
    CHECK(got.simulated_s == 86400.0);
    CHECK((got.timeout_s == 1.5 && got.year_days == 360.0 && got.sample_s == 0.5 && got.analysis_s == 2.5));
    CHECK((got.directory == "d e" && got.spool_directory == "s" && got.counters == "PAPI_TOT_INS" && got.run == "r"));
    CHECK((got.submitted == "2026-03-09T14:05:00Z" && got.sysfs_root == "/x" && got.procfs_root == "/y"));
}

TEST_CASE("an empty variable counts as not set, but as empty text where that is a value") {
    const Environment empty = {{"CPL_LB_MAX_MB", ""}, {"CPL_LB_DIR", " "}, {"CPL_LB_RUN", ""}};
    const SettingsResult result = from("nn_max_mb=3 cn_dir='d' cn_run='r'", empty);
    CHECK(result.settings.max_MiB == 3);
    CHECK(result.settings.directory == "d");
    CHECK(result.settings.run.empty());
}

TEST_CASE("bad values in the namelist") {
    const std::string at = "namelist_cpl_lb:3: ";
    CHECK(error("nn_max_mb = 'abc'") == at + "nn_max_mb: this value takes no quotes: 'abc'");
    CHECK(error("nn_max_mb = abc") == at + "nn_max_mb: not an integer: 'abc'");
    CHECK(error("nn_max_mb = 1.5") == at + "nn_max_mb: not an integer: '1.5'");
    CHECK(error("nn_max_mb =\n\n x") == "namelist_cpl_lb:5: nn_max_mb: not an integer: 'x'");
    CHECK(error("rn_timeout = ten") == at + "rn_timeout: not a real number: 'ten'");
    CHECK(error("ln_rss = maybe") == at + "ln_rss: not a logical: 'maybe'");
    CHECK(error("ln_rss = 1") == at + "ln_rss: not a logical: '1'");
    CHECK(error("cn_dir = results") == at + "cn_dir: a string needs quotes: 'results'");
    CHECK(error("cn_dir = /results") == at + "cn_dir: the '/' ends the group here: a path needs quotes");
    CHECK(error("cn_dir = 'results") == at + "cn_dir: the string is not closed on its line");
    CHECK(error("cn_run = 'a\tb'") == at + "cn_run: has a control character: 'a\\tb'");
}

TEST_CASE("values out of range") {
    const std::string at = "namelist_cpl_lb:3: ";
    CHECK(error("rn_timeout = -1.") == at + "rn_timeout: must be from 0 to 1000000000: '-1.'");
    CHECK(error("rn_analysis = -1.") == at + "rn_analysis: must be from 0 to 1000000000: '-1.'");
    CHECK(error("rn_sample = -0.1") == at + "rn_sample: must be from 0 to 1000000000: '-0.1'");
    CHECK(error("rn_year_days = 0.") == at + "rn_year_days: must be from 0.001 to 1000000: '0.'");
    CHECK(error("nn_max_mb = -5") == at + "nn_max_mb: must be from 0 to 16777216: '-5'");
    CHECK(error("nn_cores = -1") == at + "nn_cores: must be from 0 to 1000000000: '-1'");
    CHECK(error("nn_date_first = -1") == at + "nn_date_first: must be from 0 to 900000000000000: '-1'");
    CHECK(error("nn_date_last = -2") == at + "nn_date_last: must be from -1 to 900000000000000: '-2'");
    CHECK(error("cn_dir = ' '") == at + "cn_dir: is empty");
    CHECK(error("cn_run = '" + std::string(256, 'r') + "'") == at + "cn_run: longer than 255 characters");
    CHECK(from("cn_run = '" + std::string(255, 'r') + "'").error.empty());
}

TEST_CASE("values that do not fit together") {
    CHECK(error("nn_date_last = 9\nnn_date_first = 10") ==
          "namelist_cpl_lb:3: nn_date_last: 9 is before nn_date_first = 10");
    CHECK(from("nn_date_first = 10 nn_date_last = 10").error.empty());
    CHECK(from("nn_date_first = 10").error.empty());
    CHECK(from("nn_date_first = 10 nn_date_last = 9", {{"CPL_LB_DATE_LAST", "11"}}).error.empty());
    CHECK(environment_error({{"CPL_LB_DATE_LAST", "5"}, {"CPL_LB_DATE_FIRST", "6"}}) ==
          "CPL_LB_DATE_LAST: 5 is before nn_date_first = 6");
    CHECK(error("cn_submitted = 'yesterday'") ==
          "namelist_cpl_lb:3: cn_submitted: not a time like 2026-03-09T14:05:00Z: 'yesterday'");
    CHECK(environment_error({{"CPL_LB_SUBMITTED", "2026-13-01"}}) ==
          "CPL_LB_SUBMITTED: not a time like 2026-03-09T14:05:00Z: '2026-13-01'");
}

TEST_CASE("names and numbers of values") {
    const std::string at = "namelist_cpl_lb:3: ";
    CHECK(error("nn_maxmb = 5") == at + "nn_maxmb: unknown name (nn_max_mb?)");
    CHECK(error("something_else = 5") == at + "something_else: unknown name");
    CHECK(error("nn_cores = 5 6") == at + "nn_cores: more than one value");
    CHECK(error("nn_cores = 2*5") == at + "nn_cores: more than one value");
    CHECK(error("nn_cores = 5\nln_rss F") == "namelist_cpl_lb:4: ln_rss: no '=' after the name");
    CHECK(error("nn_cores(1) = 5") == at + "nn_cores: subscripts and components are not supported: 'nn_cores(1)'");
    CHECK(from("nn_cores = 5 nn_cores = 6").settings.cores == 6);
    CHECK(from("nn_cores = 5 nn_cores = ").settings.cores == 5);
    CHECK(from("nn_cores = , rn_sample = 2*, cn_dir='d',,").settings.directory == "d");
}

TEST_CASE("the first mistake of the file is told") {
    CHECK(error("ln_rss = 7\nnn_cores(1) = 5") == "namelist_cpl_lb:3: ln_rss: not a logical: '7'");
    CHECK(error("nn_cores(1) = 5\nln_rss = 7").starts_with("namelist_cpl_lb:3: nn_cores: subscripts"));
}

TEST_CASE("files without the group, or damaged before it") {
    CHECK(load_settings({"f", ""}, {}).error == "f: no group &namcpl_lb");
    CHECK(load_settings({"f", "&other a=1 /\n"}, {}).error == "f: no group &namcpl_lb");
    CHECK(load_settings({"f", "&other a='x\n&namcpl_lb /\n"}, {}).error ==
          "f: no group &namcpl_lb (f:1: a: the string is not closed on its line)");
    CHECK(load_settings({"f", "&other a(1)=2 /\n&namcpl_lb /\n"}, {}).settings.enabled);
    CHECK(load_settings({"f", std::string(2 << 20, '\n')}, {}).error == "f: larger than 1048576 bytes");
}

TEST_CASE("bad variables") {
    CHECK(environment_error({{"CPL_LB_MAX_MB", "abc"}}) == "CPL_LB_MAX_MB: not an integer: 'abc'");
    CHECK(environment_error({{"CPL_LB_ENABLED", "maybe"}}) == "CPL_LB_ENABLED: not a logical: 'maybe'");
    CHECK(environment_error({{"CPL_LB_RUN", "a\nb"}}) == "CPL_LB_RUN: has a control character: 'a\\nb'");
    CHECK(from_environment({{"CPL_LB_TIMEOUT", "-1"}}).error == "CPL_LB_TIMEOUT: must be from 0 to 1000000000: '-1'");
}

TEST_CASE("names that earlier versions knew give one line, and the run goes on") {
    const SettingsResult file = load_settings({"f", "&namcpl_lb ln_lb = .true. cn_job = 'a' nn_max_mb = 7 /"}, {});
    CHECK(file.error.empty());
    CHECK(file.settings.enabled);
    CHECK(file.settings.max_MiB == 7);
    CHECK(file.warning.starts_with("cn_job is gone: "));
    const SettingsResult variable = from("", {{"CPL_LB_JOB", "a"}});
    CHECK(variable.settings.enabled);
    CHECK(variable.warning.starts_with("CPL_LB_JOB is gone: "));
}

TEST_CASE("unknown variables are told, and do no harm") {
    const SettingsResult result =
        from("", {{"CPL_LB_ENABLE", "0"}, {"CPL_LB_WHATEVER", "1"}, {"CPL_LB_ROOT", "/opt"}});
    CHECK(result.error.empty());
    CHECK(result.settings.enabled);
    CHECK(result.warning == "unknown in the environment: 'CPL_LB_ENABLE' (CPL_LB_ENABLED?), 'CPL_LB_WHATEVER'");
    CHECK(from("", {{"CPL_LB_NAMELIST", "f"}}).warning.empty());
    CHECK(from("", {{"CPL_LB_COMPONENT", "ocean"}}).warning.empty()); // cpl-lb-record --component
}
