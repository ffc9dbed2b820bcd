// Coordinates from grids.nc where the model runs; whatever lies there, the parts stay as they are.
#include "run/live/steps/write_results.hpp"

#include "tests/grids_file.hpp"
#include "tests/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>

using namespace cpl_lb;
using cpl_lb::test::TemporaryFolder;
using cpl_lb::test::write_grids;
namespace fs = std::filesystem;

namespace {

// The model's folder, as long as this lives.
class Working {
public:
    explicit Working(const std::string &folder) : before_(fs::current_path()) { fs::current_path(folder); }
    ~Working() {
        std::error_code ignored;
        fs::current_path(before_, ignored);
    }
    Working(const Working &) = delete;
    Working &operator=(const Working &) = delete;

private:
    fs::path before_;
};

// Two blocks of three columns of the 6 x 4 points: longitudes 0 to 20 and 30 to 50, latitudes 0 to 60.
ProcessFigures two_blocks() {
    ProcessFigures figures;
    for (const std::int64_t first : {1, 4})
        figures.parts.push_back(
            {.form = GridForm::block, .points = 12, .size = {6, 4}, .first = {first, 1}, .count = {3, 4}});
    figures.grid = "ocea";
    return figures;
}

std::string why_not(std::size_t memory_bound_B = 1U << 20U, double analysis_s = 10) {
    ProcessRecord record;
    record.memory_bound_B = memory_bound_B;
    ProcessFigures figures = two_blocks();
    enter_coordinates(figures, record, Budget(analysis_s, "used up"));
    const bool placed = is_known(figures.parts[0].longitude);
    CHECK(placed == figures.why_no_globe.empty());
    CHECK(figures.parts[1].form == GridForm::block);
    if (placed) {
        CHECK(figures.parts[0].east == Approx(20));
        CHECK(figures.parts[1].west == Approx(30));
        CHECK(figures.parts[1].north == 60);
    }
    return figures.why_no_globe;
}

} // namespace

TEST_CASE("coordinates of a grid of OASIS: from the model's folder, or a reason") {
    const TemporaryFolder folder;
    const Working here(folder.path());
    constexpr const char *none = "no grids.nc can be read in the folder of the model";
    CHECK(why_not() == none);
    REQUIRE(::mkfifo("grids.nc", 0600) == 0); // nobody writes into it: who opens it waits
    CHECK(why_not() == none);
    fs::remove("grids.nc");
    fs::create_directory("grids.nc");
    CHECK(why_not() == none);
    fs::remove("grids.nc");
    std::ofstream("grids.nc").close();
    CHECK(why_not() == none);
    std::ofstream("grids.nc") << "no netCDF";
    CHECK_THAT(why_not(), Catch::Contains("grids.nc: cannot open"));
    write_grids("grids.nc");
    CHECK(why_not().empty());
    CHECK(why_not(std::size_t{24} * 64).empty());
    CHECK_THAT(why_not(std::size_t{23} * 64), Catch::StartsWith("its grid has many points")); // of 24
    CHECK_THAT(why_not(1U << 20U, 0), Catch::StartsWith("the analysis had no time left"));
}

TEST_CASE("coordinates of a grid of OASIS: nobody looks twice, or for parts that need none") {
    const TemporaryFolder folder;
    const Working here(folder.path());
    write_grids("grids.nc");
    const auto after = [](ProcessFigures figures) {
        ProcessRecord record;
        record.memory_bound_B = 1U << 20U;
        enter_coordinates(figures, record, Budget());
        return figures;
    };
    ProcessFigures told = two_blocks();
    told.why_no_globe = "it is not there";
    CHECK(after(told).why_no_globe == "it is not there");
    CHECK_FALSE(is_known(after(told).parts[0].longitude));
    ProcessFigures own = two_blocks();
    own.grid.clear(); // of cpl_lb_set_domain
    CHECK_FALSE(is_known(after(own).parts[0].longitude));
    CHECK(after(own).why_no_globe.empty());
    CHECK(is_known(after(two_blocks()).parts[0].longitude));
}
