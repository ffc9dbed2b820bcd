// Models of a few lines whose memory, energy and counters are known: `mpirun -np N meter_scenarios NAME`.
// Energy comes from a recorded /sys that the model itself changes (CPL_LB_SYSFS).
#include <cpl_lb/cpl_lb.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

int rank = 0;

void sleep_s(double seconds) {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

void event(int kind, int field) {
    cpl_lb_begin(kind, field);
    cpl_lb_end(kind, field);
}

// In place: readers keep the file open.
void set_counter(const std::string &path, const char *text) {
    const char *sysfs = std::getenv("CPL_LB_SYSFS");
    if (sysfs == nullptr) std::_Exit(9);
    const std::string full = std::string(sysfs) + "/class/powercap/intel-rapl/" + path;
    const int file = open(full.c_str(), O_WRONLY);
    if (file < 0 || pwrite(file, text, std::strlen(text), 0) < 0) std::_Exit(9);
    close(file);
}

// What the stub of ROCm SMI reads.
void tell_gpus(const char *text) {
    const char *path = std::getenv("ROCM_SMI_STUB");
    if (path == nullptr) return;
    const int file = open(path, O_WRONLY | O_TRUNC);
    if (file < 0 || write(file, text, std::strlen(text)) < 0) std::_Exit(9);
    close(file);
}

// The first two figures of the kernel's own count, in nanoseconds: run, and ready without a processor.
std::pair<double, double> schedstat() {
    std::ifstream in("/proc/self/schedstat");
    std::pair<double, double> ns{0, 0};
    in >> ns.first >> ns.second;
    return ns;
}

// Two processes of the ocean and one of the atmosphere compute, and say what the kernel says of each, from before the
// library to behind it. FIRST_COUPLES: the ocean's second process takes part in the barrier, but records nothing.
int compute_beside_others() {
    const double before = schedstat().second;
    const bool records = rank != 1 || std::getenv("FIRST_COUPLES") == nullptr;
    cpl_lb_init(MPI_COMM_WORLD, rank < 2 ? "ocean" : "atmosphere");
    const int field = cpl_lb_field("F", rank < 2 ? "atmosphere" : "ocean");
    for (int i = 0; i < 12; ++i) {
        if (records) cpl_lb_begin(rank < 2 ? CPL_LB_PUT : CPL_LB_GET, field);
        MPI_Barrier(MPI_COMM_WORLD);
        if (records) cpl_lb_end(rank < 2 ? CPL_LB_PUT : CPL_LB_GET, field);
        const double until = schedstat().first + 1e7;
        while (schedstat().first < until && schedstat().first > 0) {
            volatile double sum = 0;
            for (int n = 0; n < 100'000; ++n)
                sum = sum + 1e-9 * n;
        }
    }
    const int result = cpl_lb_terminate(86400);
    std::printf("no_processor_%d %.9f\n", rank, 1e-9 * (schedstat().second - before));
    return result;
}

// Rank 1 allocates and touches 200 MiB; rank 0 does not.
int allocate() {
    cpl_lb_init(MPI_COMM_WORLD, rank == 0 ? "lean" : "fat");
    const int field = cpl_lb_field("F", rank == 0 ? "fat" : "lean");
    const int region = cpl_lb_region("grow");
    std::vector<char> memory;
    for (int i = 0; i < 5; ++i) {
        event(CPL_LB_PUT, field);
        if (i == 2) {
            cpl_lb_region_begin(region);
            if (rank == 1) memory.assign(std::size_t{200} << 20U, 'x');
            cpl_lb_region_end(region);
        }
        sleep_s(0.02);
    }
    return cpl_lb_terminate(86400);
}

// The counters of tests/data/sysfs/one_node.tree move while the model runs, and those of AMD GPUs. Two components on
// one node, 1 and 3 processes.
int energy() {
    cpl_lb_init(MPI_COMM_WORLD, rank == 0 ? "ocean" : "atmosphere");
    const int field = cpl_lb_field("F", rank == 0 ? "atmosphere" : "ocean");
    for (int i = 0; i < 4; ++i) {
        event(CPL_LB_PUT, field);
        sleep_s(0.05);
        MPI_Barrier(MPI_COMM_WORLD);
        if (i == 1 && rank == 0) {
            set_counter("intel-rapl:1/energy_uj", "5000000     \n"); // wraps: see the tree
            set_counter("intel-rapl:1/intel-rapl:1:0/energy_uj", "3500000\n");
            set_counter("intel-rapl:0/energy_uj", "99000000\n");
            const char *device = std::getenv("AMD_DEVICE");
            const std::string id = device != nullptr ? device : "";
            tell_gpus((id + " 100 0 6000000 0 0 0 2147483648\n" + id + " 200 0 0 0 0 0 4096\n").c_str());
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return cpl_lb_terminate(86400.0 * 365);
}

// Nested regions, one of which is entered by rank 1 only, a recursive one, and page faults by hand.
int regions() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int field = cpl_lb_field("F", "x");
    const int outer = cpl_lb_region("outer");
    const int inner = cpl_lb_region("inner");
    const int only = cpl_lb_region("only one");
    constexpr std::size_t pages = 64;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    for (int i = 0; i < 20; ++i) {
        event(CPL_LB_PUT, field);
        cpl_lb_region_begin(outer);
        cpl_lb_region_begin(inner);
        cpl_lb_region_begin(inner); // calls itself: counts once
        void *memory = mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        madvise(memory, pages * page, MADV_NOHUGEPAGE);
        for (std::size_t p = 0; p < pages; ++p) // each its own page fault
            static_cast<volatile char *>(memory)[p * page] = 'x';
        cpl_lb_region_end(inner);
        cpl_lb_region_end(inner);
        sleep_s(0.01);
        cpl_lb_region_end(outer);
        munmap(memory, pages * page);
    }
    if (rank == 1) {
        cpl_lb_region_begin(only);
        cpl_lb_region_end(only);
    }
    return cpl_lb_terminate(0);
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const std::map<std::string, std::function<int()>> all = {
        {"allocate", allocate}, {"energy", energy}, {"regions", regions}, {"compute", compute_beside_others}};
    const auto scenario = all.find(argc > 1 ? argv[1] : "");
    const int code = scenario == all.end() ? 2 : scenario->second();
    MPI_Finalize();
    return code == 0 ? 0 : 1;
}
