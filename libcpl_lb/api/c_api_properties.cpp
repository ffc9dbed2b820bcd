// The C interface for the facts of a component: its size, its part of the grid, whether it is an I/O server.
#include "cpl_lb/cpl_lb.h"

#include "api/guarded.hpp"
#include "run/live/recording.hpp"

#include <string>
#include <string_view>

using namespace cpl_lb;

namespace {

void expect_in_range(bool good) {
    if (!good) throw Mistake{CPL_LB_EARGUMENT, "value out of range: ignored"};
}

// valid(): whether the values are in range. It looks at numbers of the model, so it too works guarded.
template <class Valid, class Set>
int set_property(const char *call, Valid valid, Set set) noexcept { // NOLINT(bugprone-exception-escape): guarded
    return while_recording(call, [&](Recording &recording) {
        expect_in_range(valid());
        set(recording.properties());
    });
}

// set(): false if it is no part of a grid. It looks at numbers of the model, so it works guarded.
template <class Set>
int set_domain(const char *call, Set set) noexcept { // NOLINT(bugprone-exception-escape): guarded
    return while_recording(call, [&](Recording &recording) { expect_in_range(set(recording)); });
}

bool is_figure(double value) {
    return as_figure(value) == value;
}

bool positive(double value) {
    return value > 0.0 && is_figure(value);
}

} // namespace

extern "C" {

int cpl_lb_set_grid(long long horizontal_points, int levels) {
    return set_property(
        "cpl_lb_set_grid", [&] { return horizontal_points > 0 && levels > 0; },
        [&](auto &p) {
            p.horizontal_points = horizontal_points;
            p.levels = levels;
        });
}

int cpl_lb_set_cell_size(double dx_km, double dz_km) {
    return set_property(
        "cpl_lb_set_cell_size", [&] { return positive(dx_km) && positive(dz_km); },
        [&](auto &p) {
            p.dx_km = dx_km;
            p.dz_km = dz_km;
        });
}

int cpl_lb_set_complexity(double prognostic_variables) {
    return set_property(
        "cpl_lb_set_complexity", [&] { return positive(prognostic_variables); },
        [&](auto &p) { p.complexity = prognostic_variables; });
}

int cpl_lb_set_state_bytes(double restart_bytes) {
    // 0: a component without a state of its own, such as a coupler.
    return set_property(
        "cpl_lb_set_state_bytes", [&] { return is_figure(restart_bytes) && restart_bytes >= 0.0; },
        [&](auto &p) { p.state_B = restart_bytes; });
}

int cpl_lb_add_output_bytes(double bytes) {
    return set_property(
        "cpl_lb_add_output_bytes", [&] { return is_figure(bytes) && bytes >= 0.0; },
        [&](auto &p) { p.output_B = (is_known(p.output_B) ? p.output_B : 0.0) + bytes; });
}

int cpl_lb_set_io_server(int is_io_server) {
    return set_property(
        "cpl_lb_set_io_server", [] { return true; }, [&](auto &p) { p.is_io_server = is_io_server != 0; });
}

int cpl_lb_set_domain(const long long size[2], const long long first[2], const long long count[2]) {
    return set_domain("cpl_lb_set_domain", [&](Recording &recording) {
        return size != nullptr && first != nullptr && count != nullptr &&
               recording.set_pieces({size[0], size[1]}, {first, 2}, {count, 2}).empty();
    });
}

int cpl_lb_set_domain_points(long long, const double *, const double *) {
    return CPL_LB_OK;
}

int cpl_lb_set_domain_left_out(long long points) {
    return set_domain("cpl_lb_set_domain_left_out",
                      [&](Recording &recording) { return recording.set_left_out(points); });
}

int cpl_lb_set_domain_pieces(const long long size[2], long long pieces, const long long *first,
                             const long long *count) {
    return while_recording("cpl_lb_set_domain_pieces", [&](Recording &recording) {
        std::string_view why_not = "value out of range";
        if (size != nullptr && pieces >= 0 && (pieces == 0 || (first != nullptr && count != nullptr))) {
            const std::size_t n = 2 * static_cast<std::size_t>(pieces);
            why_not = recording.set_pieces({size[0], size[1]}, {first, n}, {count, n});
        }
        if (!why_not.empty()) throw Mistake{CPL_LB_EARGUMENT, std::string(why_not) + ": ignored"};
    });
}

} // extern "C"
