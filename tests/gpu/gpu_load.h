/* A known load on the first NVIDIA GPU, by the driver alone (libcuda, opened at run time): no toolkit is needed. */
#ifndef CPL_LB_TESTS_GPU_LOAD_H
#define CPL_LB_TESTS_GPU_LOAD_H

#include <stddef.h>

/* Takes so much memory of the GPU, and writes to all of it. Not 0: what failed was told on standard error. */
int gpu_load_open(size_t bytes);
/* Multiplies and adds on all of its processors for so long. */
int gpu_load_burn(double seconds);
int gpu_load_close(void);

#endif
