/* Between the program and its libcpl_lb: the messages of cpl_lb_init and cpl_lb_terminate are not the program's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>

void beside_pause(void);
void beside_resume(void);

int cpl_lb_init(MPI_Comm comm, const char *component) {
    int (*real)(MPI_Comm, const char *) = (int (*)(MPI_Comm, const char *))dlsym(RTLD_NEXT, "cpl_lb_init");
    beside_pause();
    const int code = real(comm, component);
    beside_resume();
    return code;
}

int cpl_lb_init_f(int comm, const char *component) {
    int (*real)(int, const char *) = (int (*)(int, const char *))dlsym(RTLD_NEXT, "cpl_lb_init_f");
    beside_pause();
    const int code = real(comm, component);
    beside_resume();
    return code;
}

int cpl_lb_terminate(double simulated_seconds) {
    int (*real)(double) = (int (*)(double))dlsym(RTLD_NEXT, "cpl_lb_terminate");
    beside_pause();
    const int code = real(simulated_seconds);
    beside_resume();
    return code;
}
