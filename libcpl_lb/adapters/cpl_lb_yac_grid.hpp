// The vertices of YAC's grids become the points of this process, for the map. Part of cpl_lb_yac.cpp.
#pragma once

#include <algorithm>
#include <cpl_lb/cpl_lb.h>
#include <cstddef>
#include <vector>

// In libraries from 0.3 on.
#pragma weak cpl_lb_set_domain_points

namespace cpl_lb::adapter::yac {

// The number of vertices of this process's largest grid: a model may have several grids.
inline long long most_vertices = -1;

inline double degrees(double radians) {
    return radians * (180.0 / 3.14159265358979323846);
}

// Radians, as YAC takes them. A pole may be rounded to a little more than a quarter of the circle.
inline void tell_vertices(const double *x, const double *y, long long count) noexcept {
    if (cpl_lb_enabled() == 0 || &cpl_lb_set_domain_points == nullptr || count <= most_vertices) return;
    if (count > 0 && (x == nullptr || y == nullptr)) return;
    try {
        std::vector<double> longitudes, latitudes;
        for (long long i = 0; i < count; ++i) {
            longitudes.push_back(degrees(x[i]));
            latitudes.push_back(std::clamp(degrees(y[i]), -90.0, 90.0));
        }
        if (cpl_lb_set_domain_points(count, longitudes.data(), latitudes.data()) == CPL_LB_OK) most_vertices = count;
    } catch (...) { // no memory: no map
        return;
    }
}

// The same for a grid of n[0] longitudes and n[1] latitudes. Of a large one the outer rows and the middle one do.
inline void tell_mesh(const int *n, const double *x, const double *y) noexcept {
    constexpr long long most = 1'000'000;
    if (cpl_lb_enabled() == 0 || n == nullptr || x == nullptr || y == nullptr || n[0] < 1 || n[1] < 1) return;
    try {
        std::vector<int> rows;
        const bool all = static_cast<long long>(n[0]) * n[1] <= most;
        for (int j = 0; j < n[1]; ++j)
            if (all || j == 0 || j == n[1] / 2 || j == n[1] - 1) rows.push_back(j);
        std::vector<double> longitudes, latitudes;
        for (const int j : rows) {
            longitudes.insert(longitudes.end(), x, x + n[0]);
            latitudes.insert(latitudes.end(), static_cast<std::size_t>(n[0]), y[j]);
        }
        tell_vertices(longitudes.data(), latitudes.data(), static_cast<long long>(longitudes.size()));
    } catch (...) { // no memory: no map
        return;
    }
}

} // namespace cpl_lb::adapter::yac
