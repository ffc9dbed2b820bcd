#error "data, analysis, prediction, projection and report know no MPI, netCDF or PAPI: see docs/architecture.md"
