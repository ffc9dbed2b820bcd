// Each made file of tests/fuzz/corpus/timers is taken by the reader whose kind its name begins with, and by no other;
// and each reader has one there.
#include "run/timers/import_timers.hpp"
#include "run/timers/readers.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

using namespace cpl_lb;

TEST_CASE("no two readers of timers take the same file") {
    std::set<std::string> seen;
    for (const auto &entry : std::filesystem::directory_iterator(CPL_LB_TEST_DATA "/../fuzz/corpus/timers")) {
        const std::string name = entry.path().filename().string();
        std::ifstream file(entry.path(), std::ios::binary);
        const TimerText text(entry.path().string(), {std::istreambuf_iterator<char>(file), {}});
        INFO(name);
        std::vector<std::string> takers;
        for (const TimerReader &reader : timer_readers())
            if (reader.recognizes(text)) takers.emplace_back(reader.kind);
        REQUIRE(takers.size() == 1);
        // name: KIND.what_it_is
        CHECK(name.substr(0, name.find('.')) == takers[0]);
        seen.insert(takers[0]);
    }
    for (const TimerReader &reader : timer_readers()) {
        INFO(reader.kind);
        CHECK(seen.contains(reader.kind));
    }
}

TEST_CASE("timers packed by gzip are read as they were, and named without .gz") {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "cpl_lb_packed_timers";
    std::filesystem::create_directories(folder);
    const std::string plain = (folder / "e3sm_timing.case.7").string();
    std::ofstream(plain) << std::string(200'000, 'x') << "\nlast\n";
    REQUIRE(std::system(("gzip -kf " + plain).c_str()) == 0);
    CHECK(timer_file_text(plain + ".gz") == timer_file_text(plain));
    CHECK(TimerText(plain + ".gz", "").name() == "e3sm_timing.case.7");
    std::filesystem::resize_file(plain + ".gz", std::filesystem::file_size(plain + ".gz") - 20);
    CHECK_THROWS_WITH(timer_file_text(plain + ".gz"), Catch::Contains("is packed by gzip, and cut or damaged"));
    std::filesystem::remove_all(folder);
}

TEST_CASE("texts that are no timers are taken by no reader of timers") {
    for (const char *text :
         {"", "\n", "a log\nwith some lines\n", "name,processes\nocean,4\n", "{\"run\": {}}\n",
          "Timing information\n", "Region of interest\n", "Called by nobody\n",
          "Timing information:\n\nTimer number  1 Time =       0.00 seconds   COMPUTE_COSZ\n"}) { // POP
        for (const TimerReader &reader : timer_readers()) {
            INFO(reader.kind << ": " << text);
            CHECK_FALSE(reader.recognizes(TimerText("log", text)));
        }
    }
}
