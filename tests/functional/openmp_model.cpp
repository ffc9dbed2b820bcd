// A hybrid model of a few lines: coupling calls around, inside and among the threads of OpenMP regions. What really
// ran it prints as "name value" lines for openmp_test.cpp.
#include <cpl_lb/cpl_lb.h>

#include <cstdio>
#include <omp.h>

namespace {

void event(int kind, int field) {
    cpl_lb_begin(kind, field);
    cpl_lb_end(kind, field);
}

} // namespace

int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cpl_lb_init(MPI_COMM_WORLD, "ocean");
    const int field = cpl_lb_field("F", "x");
    omp_set_dynamic(0);
    int threads = 0;
    double sum = 0;
    for (int step = 0; step < 10; ++step) {
        event(CPL_LB_PUT, field); // between two regions
        cpl_lb_begin(CPL_LB_MAP, field);
#pragma omp parallel for num_threads(4) reduction(+ : sum) // a coupler's own threads
        for (int i = 0; i < 1000; ++i)
            sum += i;
        cpl_lb_end(CPL_LB_MAP, field);
#pragma omp parallel num_threads(4)
        {
#pragma omp master
            {
                threads = omp_get_num_threads();
                event(CPL_LB_GET, field);
            }
#pragma omp barrier
            event(CPL_LB_OUT, field); // a mistake: every thread calls
        }
    }
    const int code = cpl_lb_terminate(0);
    if (rank == 0) std::printf("threads %d\nsum %.0f\ncode %d\n", threads, sum, code);
    MPI_Finalize();
    return 0;
}
