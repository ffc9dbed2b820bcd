// What cpl_lb_terminate costs: wall time, and memory of the component's master and of the others, for EVENTS events
// on each process, against the plain algorithm of TR/CMGC/20/176 (every process sends all its start and stop times to
// the master, which holds events x processes of them, reduces and writes them) in the same run, timelines written by
// both. Usage: mpirun -np P terminate_cost EVENTS [library|reference|both]. In `both` the library goes first, and
// each memory figure is the growth of the process's high-water mark, so the reference's is a lower bound.
#include <cpl_lb/cpl_lb.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <netcdf.h>
#include <string>
#include <time.h>
#include <vector>

namespace {

int rank = 0;
int size = 1;

double now() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double status_MiB(const char *name) {
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);)
        if (line.rfind(name, 0) == 0) return std::strtod(line.c_str() + std::strlen(name), nullptr) / 1024.0;
    return 0;
}
// The high-water mark forgets what came before.
void forget_peak() {
    std::ofstream("/proc/self/clear_refs") << 5;
}

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Cost {
    double seconds, peak_MiB, cpu_s;
};

// From the moment when all are there to the moment when the master is done.
template <class Work>
Cost cost_of(Work work) {
    MPI_Barrier(MPI_COMM_WORLD);
    forget_peak();
    const double start = now();
    const double cpu = cpu_seconds();
    work();
    return {now() - start, status_MiB("VmHWM:"), cpu_seconds() - cpu};
}

void report(const char *what, const Cost &mine) {
    std::vector<Cost> all(static_cast<std::size_t>(size));
    MPI_Gather(&mine, 3, MPI_DOUBLE, all.data(), 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    double others = 0;
    double cpu = all[0].cpu_s;
    for (std::size_t i = 1; i < all.size(); ++i) {
        others = std::max(others, all[i].peak_MiB);
        cpu += all[i].cpu_s;
    }
    if (rank == 0)
        std::printf("%-9s %3d processes: %7.3f s, master %7.1f MiB, others at most %6.1f MiB, CPU of all %7.3f s\n",
                    what, size, mine.seconds, mine.peak_MiB, others, cpu);
    std::fflush(stdout);
}

void record(long events) {
    const int f = cpl_lb_field("F", "other");
    const int g = cpl_lb_field("G", "other");
    for (long i = 0; i < events; ++i) {
        cpl_lb_begin(i % 2 == 0 ? CPL_LB_PUT : CPL_LB_GET, i % 2 == 0 ? f : g);
        cpl_lb_end(i % 2 == 0 ? CPL_LB_PUT : CPL_LB_GET, i % 2 == 0 ? f : g);
    }
}

void write_reference(const std::vector<double> &start, const std::vector<double> &stop, std::size_t events) {
    int file = 0;
    int dims[2] = {0, 0};
    int vars[2] = {0, 0};
    nc_create("reference.nc", NC_CLOBBER | NC_64BIT_DATA, &file);
    nc_set_fill(file, NC_NOFILL, nullptr);
    nc_def_dim(file, "ny", static_cast<std::size_t>(size), &dims[0]);
    nc_def_dim(file, "nx", events, &dims[1]);
    nc_def_var(file, "timer_strt", NC_DOUBLE, 2, dims, &vars[0]);
    nc_def_var(file, "timer_stop", NC_DOUBLE, 2, dims, &vars[1]);
    nc_enddef(file);
    nc_put_var_double(file, vars[0], start.data());
    nc_put_var_double(file, vars[1], stop.data());
    nc_close(file);
}

// Phases 2 and 3 of the paper's section 4: gather, write, then min, max and mean of each event over the processes.
double gather_everything(const std::vector<double> &start, const std::vector<double> &stop) {
    const std::size_t n = start.size();
    const auto all = rank == 0 ? n * static_cast<std::size_t>(size) : 0;
    std::vector<double> starts(all);
    std::vector<double> stops(all);
    MPI_Gather(start.data(), static_cast<int>(n), MPI_DOUBLE, starts.data(), static_cast<int>(n), MPI_DOUBLE, 0,
               MPI_COMM_WORLD);
    MPI_Gather(stop.data(), static_cast<int>(n), MPI_DOUBLE, stops.data(), static_cast<int>(n), MPI_DOUBLE, 0,
               MPI_COMM_WORLD);
    if (rank != 0) return 0;
    write_reference(starts, stops, n);
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
        double first = 1e300;
        double last = -1e300;
        double end = -1e300;
        double mean = 0;
        for (std::size_t p = 0; p < static_cast<std::size_t>(size); ++p) {
            first = std::min(first, starts[p * n + k]);
            last = std::max(last, starts[p * n + k]);
            end = std::max(end, stops[p * n + k]);
            mean += (stops[p * n + k] - starts[p * n + k]) / size;
        }
        sum += (last - first) + (end - last) + mean;
    }
    return sum;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const long events = argc > 1 ? std::atol(argv[1]) : 100000;
    const std::string what = argc > 2 ? argv[2] : "both";
    if (what != "reference") {
        setenv("CPL_LB_ENABLED", "1", 1);
        setenv("CPL_LB_PRINT", "0", 1);
        setenv("CPL_LB_REPORT", "0", 1); // the reference makes no page
        cpl_lb_init(MPI_COMM_WORLD, "bench");
        record(events);
        report("library", cost_of([] { cpl_lb_terminate(86400.0); }));
    }
    if (what != "library") {
        // What its recorder would hold, filled before the clock starts.
        std::vector<double> start(static_cast<std::size_t>(events));
        std::vector<double> stop(static_cast<std::size_t>(events));
        for (std::size_t i = 0; i < start.size(); ++i)
            stop[i] = (start[i] = now()) + 1e-6;
        double sum = 0;
        report("reference", cost_of([&] { sum = gather_everything(start, stop); }));
        if (sum < 0) std::printf("impossible\n");
        std::remove("reference.nc");
    }
    MPI_Finalize();
    return 0;
}
