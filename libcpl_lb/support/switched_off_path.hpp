// What runs in cpl_lb_init of a run that is switched off: most runs. Each page of the program that is touched for the
// first time costs some microseconds, so the linker lays these functions side by side.
#pragma once

#if __has_cpp_attribute(gnu::hot)
#define CPL_LB_SWITCHED_OFF_PATH [[gnu::hot]]
#else
#define CPL_LB_SWITCHED_OFF_PATH
#endif
