// A model that says what its regions do, and does it: `mpirun -np 2 assertion_scenarios NAME`. Numbers that the test
// knows are in assertions_test.cpp.
#include <cpl_lb/cpl_lb.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

namespace {

int rank = 0;

void call(int region, int times = 1) {
    for (int i = 0; i < times; ++i) {
        cpl_lb_region_begin(region);
        cpl_lb_region_end(region);
    }
}

// Three steps with two kernels in each, on grids that differ between the processes; a sleep; a parameter that
// changes.
int good() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int step = cpl_lb_region("step"), kernel = cpl_lb_region("kernel"), pause = cpl_lb_region("pause");
    const int plain = cpl_lb_region("plain"), growing = cpl_lb_region("growing");
    int bad = 0;
    bad += cpl_lb_assert_parameter("nx", 100.0 + 10 * rank);
    bad += cpl_lb_assert_expression(step, "calls", "3");
    bad += cpl_lb_assert_expression(kernel, "flops", "2*nx**2");
    bad += cpl_lb_assert_expression(kernel, "mv", "01");
    bad += cpl_lb_assert_expression(pause, "seconds", "0.05");
    bad += cpl_lb_assert_expression(growing, "flops", "n");
    bad += cpl_lb_assert_expression(growing, "loads", "1");
    for (int i = 0; i < 3; ++i) {
        cpl_lb_region_begin(step);
        cpl_lb_region_begin(plain);
        call(kernel, 2);
        cpl_lb_region_end(plain);
        cpl_lb_region_end(step);
    }
    bad += cpl_lb_assert_parameter("n", 10);
    call(growing, 2);
    bad += cpl_lb_assert_parameter("n", 20);
    call(growing, 3);
    for (int i = 0; i < 4; ++i) {
        cpl_lb_region_begin(pause);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        cpl_lb_region_end(pause);
    }
    return bad != 0 ? 1 : cpl_lb_terminate(0);
}

// Mistakes of every sort: refused or told, and the run goes on.
int wrong() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int region = cpl_lb_region("kernel");
    std::printf("syntax %d\n", cpl_lb_assert_expression(region, "flops", "2 +"));
    std::printf("quantity %d\n", cpl_lb_assert_expression(region, "flop", "2"));
    std::printf("null %d\n", cpl_lb_assert_expression(region, nullptr, nullptr));
    std::printf("no_region %d\n", cpl_lb_assert_expression(region + 1, "flops", "2"));
    std::printf("name %d\n", cpl_lb_assert_parameter("2x", 1));
    std::printf("no_name %d\n", cpl_lb_assert_parameter(nullptr, 1));
    cpl_lb_assert_parameter("nx", 3);
    cpl_lb_assert_expression(region, "loads", "nope");
    cpl_lb_assert_expression(region, "stores", "1/(nx-3)");
    cpl_lb_assert_expression(region, "bytes", "exp(1e6*nx)");
    cpl_lb_assert_expression(region, "flops", rank == 0 ? "2" : "3");
    for (int i = 0; i < 1000; ++i) // in a time loop: told once
        cpl_lb_assert_expression(region, "vflops", "(");
    call(region);
    return cpl_lb_terminate(0);
}

// Switched off: every call returns at once.
int off() {
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int sum = cpl_lb_assert_parameter("2x", 1) + cpl_lb_assert_expression(7, "nothing", "(");
    cpl_lb_terminate(0);
    return sum;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char *name = argc > 1 ? argv[1] : "";
    int code = 2;
    if (std::strcmp(name, "good") == 0) code = good();
    if (std::strcmp(name, "wrong") == 0) code = wrong();
    if (std::strcmp(name, "off") == 0) code = off();
    MPI_Finalize();
    return code == 0 ? 0 : 1;
}
