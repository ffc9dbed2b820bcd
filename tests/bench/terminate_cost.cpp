// What cpl_lb_terminate costs: wall time, and memory of the component's master and of the others, for EVENTS events
// on each process, against algorithms that gather everything on the master, in the same run, timelines (the same
// doubles) written by all. Usage: mpirun -np P terminate_cost EVENTS [library|paper|lean|floor|all [nested|coupled]].
// The library goes first. PUTs and GETs in turn; nested: each PUT with a MAP inside; coupled: two components that
// exchange with each other, each with half of the processes. Each memory figure is the high-water mark of the process
// in that part. CPL_LB_REPORT=1 has the page made, too.
//
// `paper` is the algorithm of TR/CMGC/20/176, section 4, step by step. What the paper leaves open is done as its
// published implementation does it (OASIS3-MCT 5, lib/psmile/src/mod_oasis_load_balancing.F90; only the algorithm is
// taken, the code is our own):
//   recording  Table 2, "take elapsed timing before and after a CE and store in the allocated arrays": an array with
//              one element before and one after each event, so starts and stops alternate; with each time its kind,
//              field and counterpart (implementation: 24 bytes, so 48 for an event). Filled before the clock starts.
//   phase 1    "the total time of the simulation [...] in each process [...] is gathered in one master process".
//   phase 2    "the CE timers are gathered in one master process per component": the numbers of events, to see that
//              they are equal (implementation), then all times in one gather, out of the records first
//              (implementation). "A timeline netCDF file [...] contains (i) the starting/ending times of each CE, on
//              each process, (ii) its kind, (iii) the field number [...], (iv) the number of the other component":
//              starts and stops are two variables, so every second time goes into an array that is written
//              (implementation: sections of the gathered array, as arguments of two calls).
//   phase 3    "processed to keep the maximum, minimum and average values across processes": "this arrays is also
//              used to perform maximum/minimum/average operations in a single FORTRAN command", so one pass for each.
//              "Three quantities per coupling field and all kind of CE": one pass over the events for each field and
//              kind (implementation).
//   phase 4    "a synthesis [...] written out in separated ASCII text file".
// The times are doubles as in that implementation (the paper's appendix 1 has single precision), and the passes of
// phase 3 go through memory in its order, which is faster than across it.
//
// `lean` is the least that a gather of everything can do: starts and stops lie apart from the beginning, are written
// as they come and reduced in one pass; no kinds, fields or counterparts. `floor` writes as many bytes as the
// timeline has, each process its own, and does nothing else. `link` (only where it is asked for, with a number of
// bytes) sends so many from the processes of the second half to the first process, one after the other: what MPI
// needs.
#include "stopwatch.hpp"

#include <cpl_lb/cpl_lb.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <fstream>
#include <memory>
#include <netcdf.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

using namespace cpl_lb::bench;
int rank = 0;
int size = 1;

// The high-water mark forgets what came before.
void forget_peak() {
    std::ofstream("/proc/self/clear_refs") << 5;
}

// Those that are done leave the processors to the master: neither spinning nor at work on what comes next.
void wait_asleep() {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    const timespec millisecond{0, 1'000'000};
    for (int done = 0; MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0;)
        nanosleep(&millisecond, nullptr);
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
    const double cpu = cpu_now();
    work();
    const Cost cost{now() - start, status_MiB("VmHWM:"), cpu_now() - cpu};
    wait_asleep();
    return cost;
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

void compare(const char *what, const Cost &library, const Cost &other) {
    if (rank == 0 && library.seconds > 0)
        std::printf("          library / %s: time %.2f, master's memory %.2f\n", what,
                    library.seconds / other.seconds, library.peak_MiB / other.peak_MiB);
}

void record(long events, bool nested, bool is_other) {
    const char *to = is_other ? "bench" : "other";
    const int f = cpl_lb_field(is_other ? "G" : "F", to);
    const int g = cpl_lb_field(is_other ? "F" : "G", to);
    for (long i = 0; nested && i < events; i += 2) {
        cpl_lb_begin(CPL_LB_PUT, f);
        cpl_lb_begin(CPL_LB_MAP, f);
        cpl_lb_end(CPL_LB_MAP, f);
        cpl_lb_end(CPL_LB_PUT, f);
    }
    for (long i = 0; !nested && i < events; ++i) {
        cpl_lb_begin(i % 2 == 0 ? CPL_LB_PUT : CPL_LB_GET, i % 2 == 0 ? f : g);
        cpl_lb_end(i % 2 == 0 ? CPL_LB_PUT : CPL_LB_GET, i % 2 == 0 ? f : g);
    }
}

int create_timeline(const char *name, std::size_t events, int (&times)[2], int (&keys)[3]) {
    int file = 0;
    int dims[2] = {0, 0};
    nc_create(name, NC_CLOBBER | NC_64BIT_DATA, &file);
    nc_set_fill(file, NC_NOFILL, nullptr);
    nc_def_dim(file, "ny", static_cast<std::size_t>(size), &dims[0]);
    nc_def_dim(file, "nx", events, &dims[1]);
    nc_def_var(file, "timer_strt", NC_DOUBLE, 2, dims, &times[0]);
    nc_def_var(file, "timer_stop", NC_DOUBLE, 2, dims, &times[1]);
    nc_def_var(file, "kind", NC_INT, 1, &dims[1], &keys[0]);
    nc_def_var(file, "field", NC_INT, 1, &dims[1], &keys[1]);
    nc_def_var(file, "component", NC_INT, 1, &dims[1], &keys[2]);
    nc_enddef(file);
    return file;
}

// Memory as Fortran's ALLOCATE gives it: nobody writes zeros first.
template <class Value>
struct Array {
    std::size_t count = 0;
    std::unique_ptr<Value[]> values;
    Array() = default;
    explicit Array(std::size_t n) : count(n), values(new Value[n]) {}
    [[nodiscard]] std::size_t size() const { return count; }
    [[nodiscard]] const Value *data() const { return values.get(); }
    Value &operator[](std::size_t i) { return values[i]; }
    const Value &operator[](std::size_t i) const { return values[i]; }
};

// On the master: of all processes, one after the other.
Array<double> gather(const Array<double> &mine) {
    const auto n = static_cast<int>(mine.size());
    Array<double> all(rank == 0 ? mine.size() * static_cast<std::size_t>(size) : 0);
    MPI_Gather(mine.data(), n, MPI_DOUBLE, all.values.get(), n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return all;
}

// The paper's algorithm has one before and one after each event.
struct Timing {
    double time = 0;
    std::int32_t kind = 0, field = 0, counterpart = 0;
};
constexpr int fields = 2;
constexpr int kinds = 7; // those of fields

// What a recorder would hold: PUT of field 1 and GET of field 2 in turn, as record() does.
std::vector<Timing> timings_of_a_run(std::size_t events) {
    std::vector<Timing> timings(2 * events);
    for (std::size_t i = 0; i < timings.size(); ++i) {
        const std::int32_t which = i / 2 % 2 == 0 ? 1 : 2;
        timings[i] = {now(), which, which, 1};
    }
    return timings;
}

// Every second element, from `first` on.
template <class Value, class Take>
Array<Value> every_second(std::size_t count, std::size_t first, Take take) {
    Array<Value> values(count / 2);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = take(2 * i + first);
    return values;
}

void write_as_in_the_paper(const Array<double> &all, const std::vector<Timing> &mine) {
    int times[2] = {0, 0};
    int keys[3] = {0, 0, 0};
    const int file = create_timeline("reference.nc", mine.size() / 2, times, keys);
    for (std::size_t which = 0; which < 2; ++which)
        nc_put_var_double(file, times[which],
                          every_second<double>(all.size(), which, [&](std::size_t i) { return all[i]; }).data());
    const auto put_key = [&](int variable, std::int32_t Timing::*key) {
        nc_put_var_int(file, variable,
                       every_second<int>(mine.size(), 0, [&](std::size_t i) { return mine[i].*key; }).data());
    };
    put_key(keys[0], &Timing::kind);
    put_key(keys[1], &Timing::field);
    put_key(keys[2], &Timing::counterpart);
    nc_close(file);
}

// One value for each timing, over the processes: one pass through the gathered array.
template <class Combine>
Array<double> over_processes(const Array<double> &all, std::size_t n, Combine combine) {
    Array<double> values(n);
    std::copy_n(all.data(), n, values.values.get());
    for (std::size_t p = 1; p < static_cast<std::size_t>(size); ++p)
        for (std::size_t i = 0; i < n; ++i)
            values[i] = combine(values[i], all[p * n + i]);
    return values;
}

struct ThreeSums {
    double jitter = 0, waiting = 0, mean = 0;
};

ThreeSums sums_of(const std::vector<Timing> &mine, const Array<double> &least, const Array<double> &greatest,
                  const Array<double> &sum, int field, int kind) {
    ThreeSums s;
    for (std::size_t i = 0; i < mine.size(); i += 2) {
        if (mine[i].field != field || mine[i].kind != kind) continue;
        s.jitter += greatest[i] - least[i];
        s.waiting += greatest[i + 1] - greatest[i];
        s.mean += (sum[i + 1] - sum[i]) / size;
    }
    return s;
}

void synthesis(Array<double> all, const std::vector<Timing> &mine) {
    const std::size_t n = mine.size();
    const auto least = over_processes(all, n, [](double a, double b) { return std::min(a, b); });
    const auto greatest = over_processes(all, n, [](double a, double b) { return std::max(a, b); });
    const auto sum = over_processes(all, n, [](double a, double b) { return a + b; });
    all = {};
    std::ofstream out("reference.txt");
    for (int field = 1; field <= fields; ++field) {
        for (int kind = 1; kind <= kinds; ++kind) {
            const ThreeSums s = sums_of(mine, least, greatest, sum, field, kind);
            out << field << ' ' << kind << ' ' << s.jitter << ' ' << s.waiting << ' ' << s.mean << '\n';
        }
    }
}

void paper(const std::vector<Timing> &mine) {
    Array<double> run(2);
    run[0] = mine.front().time;
    run[1] = mine.back().time;
    const Array<double> runs = gather(run);
    Array<double> length(1);
    length[0] = static_cast<double>(mine.size());
    const Array<double> lengths = gather(length);
    for (std::size_t p = 0; p < lengths.size(); ++p)
        if (lengths[p] != length[0]) return;
    Array<double> times(mine.size());
    for (std::size_t i = 0; i < times.size(); ++i)
        times[i] = mine[i].time;
    Array<double> all = gather(times);
    times = {};
    if (rank != 0) return;
    write_as_in_the_paper(all, mine);
    synthesis(std::move(all), mine);
}

// Returns what the compiler must not leave out.
double lean(const Array<double> &start, const Array<double> &stop) {
    const Array<double> starts = gather(start);
    const Array<double> stops = gather(stop);
    if (rank != 0) return 0;
    const std::size_t n = start.size();
    int times[2] = {0, 0};
    int keys[3] = {0, 0, 0};
    const int file = create_timeline("reference.nc", n, times, keys);
    nc_put_var_double(file, times[0], starts.data());
    nc_put_var_double(file, times[1], stops.data());
    nc_close(file);
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

// Until the last process has written its part.
void write_only(std::size_t events) {
    const std::vector<char> block(std::size_t{1} << 18U, 1);
    const int file = open("reference.nc", O_WRONLY | O_CREAT, 0666);
    const std::size_t bytes = 16 * events;
    const std::size_t first = static_cast<std::size_t>(rank) * bytes;
    for (std::size_t at = 0; at < bytes; at += block.size())
        if (pwrite(file, block.data(), std::min(block.size(), bytes - at), static_cast<off_t>(first + at)) < 0) break;
    close(file);
    MPI_Barrier(MPI_COMM_WORLD);
}

// Blocks of at most 1 MiB, four under way.
void send_over_link(std::size_t bytes) {
    constexpr std::size_t block = std::size_t{1} << 20U;
    constexpr int ahead = 4;
    const int senders = std::max(size / 2, 1);
    const std::size_t each = bytes / static_cast<std::size_t>(senders);
    std::vector<char> memory(ahead * block, 1);
    for (int sender = size - senders; sender < size; ++sender) {
        if (rank != 0 && rank != sender) continue;
        std::vector<MPI_Request> requests(ahead, MPI_REQUEST_NULL);
        for (std::size_t at = 0, turn = 0; at < each; at += block, turn = (turn + 1) % ahead) {
            MPI_Wait(&requests[turn], MPI_STATUS_IGNORE);
            char *place = memory.data() + turn * block;
            const auto length = static_cast<int>(std::min(block, each - at));
            if (rank == 0)
                MPI_Irecv(place, length, MPI_CHAR, sender, 1, MPI_COMM_WORLD, &requests[turn]);
            else
                MPI_Isend(place, length, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &requests[turn]);
        }
        MPI_Waitall(ahead, requests.data(), MPI_STATUSES_IGNORE);
    }
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const std::size_t events = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100000;
    const std::string what = argc > 2 ? argv[2] : "all";
    const std::string way = argc > 3 ? argv[3] : "";
    const bool is_other = way == "coupled" && 2 * rank >= size;
    const auto wanted = [&](const char *part) { return what == "all" || what == part; };
    Cost library{};
    if (what == "link") {
        const std::size_t bytes = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 0;
        report("link", cost_of([&] { send_over_link(bytes); }));
    }
    if (wanted("library")) {
        setenv("CPL_LB_ENABLED", "1", 1);
        setenv("CPL_LB_MAX_MB", "1024", 0); // holds 12 million events
        setenv("CPL_LB_PRINT", "0", 1);
        setenv("CPL_LB_REPORT", "0", 0); // the others make no page
        cpl_lb_init(MPI_COMM_WORLD, is_other ? "other" : "bench");
        record(static_cast<long>(events), way == "nested", is_other);
        report("library", library = cost_of([] { cpl_lb_terminate(86400.0); }));
    }
    if (wanted("paper")) {
        const std::vector<Timing> timings = timings_of_a_run(events);
        const Cost cost = cost_of([&] { paper(timings); });
        report("paper", cost);
        compare("paper", library, cost);
    }
    if (wanted("lean")) {
        Array<double> start(events);
        Array<double> stop(events);
        for (std::size_t i = 0; i < start.size(); ++i)
            stop[i] = (start[i] = now()) + 1e-6;
        double sum = 0;
        const Cost cost = cost_of([&] { sum = lean(start, stop); });
        report("lean", cost);
        compare("lean", library, cost);
        if (sum < 0) std::printf("impossible\n");
    }
    if (rank == 0) std::remove("reference.nc");
    MPI_Barrier(MPI_COMM_WORLD);
    if (wanted("floor")) report("floor", cost_of([&] { write_only(events); }));
    if (rank == 0) {
        std::remove("reference.nc");
        std::remove("reference.txt");
    }
    MPI_Finalize();
    return 0;
}
