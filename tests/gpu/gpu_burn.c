/* The load alone: gpu_burn SECONDS MIB. */
#include "gpu_load.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc != 3 || gpu_load_open((size_t)atoi(argv[2]) << 20U) != 0) return 1;
    return gpu_load_burn(atof(argv[1])) != 0 || gpu_load_close() != 0;
}
