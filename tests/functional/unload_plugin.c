/* A plugin of unload_model: the part of a model that is coupled, and uses the library. */
#include <cpl_lb/cpl_lb.h>

CPL_LB_PUBLIC int plugin_start(MPI_Comm comm) {
    const int code = cpl_lb_init(comm, "ocean");
    const int field = cpl_lb_field("F", "x");
    for (int i = 0; i < 100; ++i) {
        cpl_lb_begin(CPL_LB_PUT, field);
        cpl_lb_end(CPL_LB_PUT, field);
    }
    return code;
}

CPL_LB_PUBLIC int plugin_end(void) {
    return cpl_lb_terminate(10);
}
