// The map: models that say which part of the grid each process has.
#include "scenarios.hpp"

#include <array>
#include <string>
#include <vector>

namespace scenario {
namespace {

using Two = std::array<long long, 2>;

// Ranks 0 and 1 are the ocean, 2 and 3 the atmosphere; rank r exchanges with its partner at the end of each of twelve
// steps. All leave their receives together, so that they stay in step. The sleeps of steps 3 to 12 are those of the
// loop.
int loop_of_two(double seconds) {
    const bool ocean = rank < 2;
    const int partner = ocean ? rank + 2 : rank - 2;
    const int mine = cpl_lb_field(ocean ? "SST" : "heat", ocean ? "atmosphere" : "ocean");
    const int theirs = cpl_lb_field(ocean ? "heat" : "SST", ocean ? "atmosphere" : "ocean");
    const int stepping = cpl_lb_region("stepping"), only_one = cpl_lb_region("only on process 1");
    double in_loop = 0, in_region = 0;
    for (int step = 0; step < 12; ++step) {
        slept = 0;
        cpl_lb_region_begin(stepping);
        if (rank == 1) cpl_lb_region_begin(only_one);
        work(seconds);
        if (rank == 1) cpl_lb_region_end(only_one);
        cpl_lb_region_end(stepping);
        if (step >= 2) in_loop += slept;
        in_region += slept;
        send(mine, partner);
        cpl_lb_begin(CPL_LB_GET, theirs);
        char c = 0;
        MPI_Recv(&c, 1, MPI_CHAR, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        cpl_lb_end(CPL_LB_GET, theirs);
    }
    say(("slept_" + std::to_string(rank)).c_str(), in_loop);
    say(("region_" + std::to_string(rank)).c_str(), in_region);
    return cpl_lb_terminate(86400.0);
}

// Blocks of a grid of 8 x 3, and points with coordinates, as models of 0.3 may give them.
int domains() {
    cpl_lb_init(MPI_COMM_WORLD, rank < 2 ? "ocean" : "atmosphere");
    if (rank < 2) {
        const Two size = {8, 3}, first = {rank == 0 ? 1 : 6, 1}, count = {rank == 0 ? 5 : 3, 3};
        say("block", cpl_lb_set_domain(size.data(), first.data(), count.data()));
    } else {
        const std::array<double, 4> longitudes = {10, 20, 10, 20}, latitudes = {-40, -40, 40, 40};
        say("points", cpl_lb_set_domain_points(4, longitudes.data(), latitudes.data()));
    }
    constexpr std::array<double, 4> seconds = {0.01, 0.04, 0.01, 0.01};
    return loop_of_two(seconds[static_cast<std::size_t>(rank)]);
}

// Each ocean process has every second row of a grid of 8 x 4. The atmosphere's grid is 4 x 40: its first process has
// every second row, which is more than 16, and the other one the rows between, of which it gives the lower half
// twice: the second call holds.
int piece_domains() {
    cpl_lb_init(MPI_COMM_WORLD, rank < 2 ? "ocean" : "atmosphere");
    const bool ocean = rank < 2;
    const Two size = {ocean ? 8 : 4, ocean ? 4 : 40};
    std::vector<long long> first, count;
    for (long long row = 1 + rank % 2; row <= size[1]; row += 2) {
        first.insert(first.end(), {1, row});
        count.insert(count.end(), {size[0], 1});
    }
    if (rank == 3) say("half", cpl_lb_set_domain_pieces(size.data(), 10, first.data(), count.data()));
    const auto pieces = static_cast<long long>(first.size() / 2);
    say("pieces", cpl_lb_set_domain_pieces(size.data(), pieces, first.data(), count.data()));
    return loop_of_two(0.001);
}

// The ocean's blocks overlap, and only one process of the atmosphere gives one.
int bad_domains() {
    cpl_lb_init(MPI_COMM_WORLD, rank < 2 ? "ocean" : "atmosphere");
    const Two size = {8, 3}, first = {rank == 0 ? 1 : 5, 1}, count = {rank == 0 ? 5 : 4, 3};
    if (rank < 3) cpl_lb_set_domain(size.data(), first.data(), count.data());
    return loop_of_two(0.001);
}

// The ocean leaves out the last column of a grid of 8 x 3, and one process says so. The atmosphere's processes give
// different numbers.
int left_out_domains() {
    cpl_lb_init(MPI_COMM_WORLD, rank < 2 ? "ocean" : "atmosphere");
    const Two size = {8, 3}, first = {rank % 2 == 0 ? 1 : 6, 1}, count = {rank % 2 == 0 ? 5 : 2, 3};
    cpl_lb_set_domain(size.data(), first.data(), count.data());
    if (rank != 0) say("left_out", cpl_lb_set_domain_left_out(rank == 3 ? 4 : 3));
    if (rank == 1) say("negative", cpl_lb_set_domain_left_out(-1));
    return loop_of_two(0.001);
}

// Each call is wrong, and what was said before holds.
int wrong_domains() {
    say("pieces_before", cpl_lb_set_domain_pieces(nullptr, 0, nullptr, nullptr));
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const Two size = {8, 3}, one = {1, 1}, beyond = {2, 1}, none = {0, 1};
    say("good", cpl_lb_set_domain(size.data(), one.data(), size.data()));
    say("beyond", cpl_lb_set_domain(size.data(), beyond.data(), size.data()));
    say("empty_grid", cpl_lb_set_domain(none.data(), one.data(), one.data()));
    say("null", cpl_lb_set_domain(size.data(), nullptr, one.data()));
    const std::array<long long, 4> first = {1, 1, 1, 3}, count = {8, 1, 8, 1}, high = {1, 1, 1, 4},
                                   same = {1, 1, 1, 1};
    say("negative_pieces", cpl_lb_set_domain_pieces(size.data(), -1, first.data(), count.data()));
    say("pieces_beyond", cpl_lb_set_domain_pieces(size.data(), 2, high.data(), count.data()));
    say("null_size", cpl_lb_set_domain_pieces(nullptr, 2, first.data(), count.data()));
    say("null_first", cpl_lb_set_domain_pieces(size.data(), 2, nullptr, count.data()));
    say("null_count", cpl_lb_set_domain_pieces(size.data(), 2, first.data(), nullptr));
    say("no_grid", cpl_lb_set_domain_pieces(none.data(), 0, nullptr, nullptr));
    say("twice", cpl_lb_set_domain_pieces(size.data(), 2, same.data(), count.data()));
    return cpl_lb_terminate(0);
}

} // namespace

Scenarios map_scenarios() {
    return {{"domains", &domains},
            {"piece_domains", &piece_domains},
            {"bad_domains", &bad_domains},
            {"left_out_domains", &left_out_domains},
            {"wrong_domains", &wrong_domains}};
}

} // namespace scenario
