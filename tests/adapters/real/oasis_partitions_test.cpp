// The parts of the grid in timelines against Debian's OASIS3-MCT 3.0: for each kind of partition against the field
// that OASIS wrote, where each point has the rank of its process, and against the segments that OASIS holds.
#include "adapter_run.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <netcdf.h>
#include <vector>

namespace {

using namespace cpl_lb::adapter_tests;

constexpr int nx = 12, ny = 9;
constexpr std::size_t all_points = std::size_t{nx} * ny;
using Owners = std::vector<int>; // of each point, row after row; -1: nobody

// i and j from 1.
std::size_t place_of(std::int64_t i, std::int64_t j) {
    const std::int64_t place = (j - 1) * nx + i - 1;
    return static_cast<std::size_t>(place);
}

Result run_partitions(const std::string &kind) {
    Result r;
    r.folder = new_folder();
    std::ofstream(r.folder / "namcouple")
        << " $NFIELDS\n1\n $END\n $NBMODEL\n2 parts sink\n $END\n $RUNTIME\n14400\n $END\n $NLOGPRT\n0\n $END\n"
           " $STRINGS\n#\nOWNER TAKEN 1 1800 1 none.nc EXPOUT\n12 9 12 9 gpar gpar LAG=0\nR 0 R 0\nSCRIPR\n"
           "DISTWGT LR SCALAR LATLON 1 1\n $END\n";
    const std::string program = REAL_PARTITIONS;
    r.status = std::system(("cd '" + r.folder.string() + "' && CPL_LB_ENABLED=1 " REAL_MPIEXEC " -np 4 " + program +
                            " " + kind + " : -np 1 " + program + " sink > out 2> err < /dev/null")
                               .c_str());
    return r;
}

// The first record of the field.
Owners written_by_oasis(const std::string &path) {
    int file = -1, field = -1;
    REQUIRE(nc_open(path.c_str(), NC_NOWRITE, &file) == NC_NOERR);
    REQUIRE(nc_inq_varid(file, "OWNER", &field) == NC_NOERR);
    std::vector<double> values(all_points);
    const std::array<std::size_t, 3> first = {0, 0, 0}, count = {1, ny, nx};
    REQUIRE(nc_get_vara_double(file, field, first.data(), count.data(), values.data()) == NC_NOERR);
    nc_close(file);
    Owners owners;
    owners.reserve(all_points);
    for (const double value : values)
        owners.push_back(static_cast<int>(value));
    return owners;
}

Owners held_by_oasis(const Result &r) {
    Owners owners(all_points, -1);
    std::ifstream in(r.folder / "segments");
    for (int first = 0, points = 0, process = 0; in >> first >> points >> process;) {
        for (int n = 0; n < points; ++n)
            owners.at(place_of(first + n, 1)) = process;
    }
    return owners;
}

void enter(Owners &owners, int process, const std::array<std::int64_t, 2> &first,
           const std::array<std::int64_t, 2> &count) {
    for (std::int64_t j = 0; j < count[1]; ++j) {
        for (std::int64_t i = 0; i < count[0]; ++i) {
            int &owner = owners.at(place_of(first[0] + i, first[1] + j));
            CHECK(owner == -1);
            owner = process;
        }
    }
}

cpl_lb::ProcessFigures figures_of(const Result &r) {
    return cpl_lb::TimelineReader((r.folder / "timeline_parts.nc").string()).header().figures;
}

Owners told_by_timeline(const cpl_lb::ProcessFigures &figures) {
    Owners owners(all_points, -1);
    REQUIRE(figures.parts.size() == 4);
    for (std::size_t p = 0; p < 4; ++p) {
        const cpl_lb::GridPart &part = figures.parts[p];
        CHECK(part.size == std::array<std::int64_t, 2>{nx, ny});
        for (const cpl_lb::GridPiece &piece : part.pieces)
            enter(owners, static_cast<int>(p), piece.first, piece.count);
    }
    return owners;
}

} // namespace

TEST_CASE("OASIS 3.0: the parts of each kind of partition are those that OASIS writes and holds") {
    struct Kind {
        const char *name;
        std::array<std::size_t, 4> pieces; // of each process
    };
    // An apple of 27 points: two rows of 12 and a part of a row before or behind them, or both (3 + 24, 9 + 12 + 6,
    // ...). An orange: a band in the south and one in the north; rows 0, 4 and 8 are the first process's, 3 and 5 the
    // last one's. Diagonal bands of 3 points: one or two pieces in each of 9 rows.
    const auto kind = GENERATE(Kind{"serial", {1, 0, 0, 0}}, Kind{"apple", {2, 3, 3, 2}}, Kind{"box", {1, 1, 1, 1}},
                               Kind{"orange", {3, 2, 2, 2}}, Kind{"points", {11, 11, 11, 9}});
    INFO(kind.name);
    const Result r = run_partitions(kind.name);
    INFO(r.text("err"));
    REQUIRE(r.status == 0);
    CHECK(lines_of_cpl_lb(r.text("err")) == 0);
    const Owners written = written_by_oasis((r.folder / "OWNER_parts_01.nc").string());
    const cpl_lb::ProcessFigures figures = figures_of(r);
    CHECK(held_by_oasis(r) == written);
    CHECK(told_by_timeline(figures) == written);
    for (std::size_t p = 0; p < figures.parts.size(); ++p)
        CHECK(figures.parts[p].pieces.size() == kind.pieces[p]);
    const std::string page = r.text("load_balancing_report.html");
    CHECK(page.find("\"form\":\"pieces\"") != std::string::npos);
}

// Columns 3 to 5 of rows 1 and 2, and point (7, 5): 7 points.
bool is_land(std::int64_t i, std::int64_t j) {
    return (i >= 3 && i <= 5 && j <= 2) || (i == 7 && j == 5);
}

TEST_CASE("OASIS 3.0: points that the model leaves out, and says so") {
    const Result r = run_partitions("land");
    INFO(r.text("err"));
    REQUIRE(r.status == 0);
    CHECK(lines_of_cpl_lb(r.text("err")) == 0);
    const cpl_lb::ProcessFigures figures = figures_of(r);
    CHECK(figures.left_out == 7);
    const Owners told = told_by_timeline(figures);
    CHECK(told == held_by_oasis(r));
    const Owners written = written_by_oasis((r.folder / "OWNER_parts_01.nc").string());
    for (std::int64_t j = 1; j <= ny; ++j) {
        for (std::int64_t i = 1; i <= nx; ++i) {
            INFO(i << " " << j);
            const std::size_t at = place_of(i, j);
            CHECK(told[at] == (is_land(i, j) ? -1 : written[at]));
        }
    }
    CHECK(r.text("load_balancing_report.html").find("\"left_out\":7") != std::string::npos);
}

// No two points of a process lie beside each other: 27 pieces. The 16 boxes hold them all, and the number is right.
TEST_CASE("OASIS 3.0: scattered points are boxes around several") {
    const Result r = run_partitions("scattered");
    REQUIRE(r.status == 0);
    CHECK(lines_of_cpl_lb(r.text("err")) == 0);
    const Owners written = written_by_oasis((r.folder / "OWNER_parts_01.nc").string());
    const cpl_lb::ProcessFigures figures = figures_of(r);
    REQUIRE(figures.parts.size() == 4);
    for (std::size_t p = 0; p < 4; ++p) {
        CHECK(figures.parts[p].points == 27);
        CHECK(figures.parts[p].pieces.size() == cpl_lb::most_pieces);
        std::vector<bool> held(all_points, false);
        for (const cpl_lb::GridPiece &piece : figures.parts[p].pieces) {
            for (std::int64_t j = 0; j < piece.count[1]; ++j)
                for (std::int64_t i = 0; i < piece.count[0]; ++i)
                    held.at(place_of(piece.first[0] + i, piece.first[1] + j)) = true;
        }
        for (std::size_t n = 0; n < written.size(); ++n)
            if (written[n] == static_cast<int>(p)) CHECK(held[n]);
    }
    CHECK(r.text("load_balancing_report.html").find("\"coarse\":4") != std::string::npos);
}
