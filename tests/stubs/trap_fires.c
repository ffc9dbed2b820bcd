/* Proves that traps_on.c works: without an argument a division by zero, which must end the program by SIGFPE; with
 * one the traps are switched off, and the end of the program must tell. */
#define _GNU_SOURCE
#include <fenv.h>

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        fedisableexcept(FE_ALL_EXCEPT);
        return 0;
    }
    volatile double zero = 0.0;
    volatile double result = 1.0 / zero;
    return result > 0.0 ? 0 : 1;
}
