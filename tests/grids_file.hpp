// A grids.nc of OASIS, written by hand.
#pragma once

#include <catch2/catch.hpp>
#include <netcdf.h>
#include <string>
#include <vector>

namespace cpl_lb::test {

// 6 x 4 points: longitude 10 i, latitude 20 j (i, j from 0). Of the grid "line" the same 24 in one row.
inline void write_grids(const std::string &path, double first_latitude = 0) {
    std::vector<double> longitudes, latitudes;
    for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 6; ++i) {
            longitudes.push_back(10.0 * i);
            latitudes.push_back(20.0 * j);
        }
    }
    latitudes[0] = first_latitude;
    int file = -1, id = -1;
    int both[2] = {-1, -1};
    REQUIRE(nc_create(path.c_str(), NC_CLOBBER, &file) == NC_NOERR);
    nc_def_dim(file, "y", 4, &both[0]);
    nc_def_dim(file, "x", 6, &both[1]);
    nc_def_var(file, "ocea.lon", NC_DOUBLE, 2, both, &id);
    nc_def_var(file, "ocea.lat", NC_DOUBLE, 2, both, &id);
    nc_def_var(file, "odd.lon", NC_DOUBLE, 1, &both[1], &id);
    nc_def_var(file, "odd.lat", NC_DOUBLE, 1, &both[0], &id);
    nc_enddef(file);
    nc_put_var_double(file, 0, longitudes.data());
    nc_put_var_double(file, 1, latitudes.data());
    REQUIRE(nc_close(file) == NC_NOERR);
}

} // namespace cpl_lb::test
