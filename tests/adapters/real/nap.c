/* CALL nap(ms) of Fortran: computing that takes as long whatever else the machine does. */
#define _POSIX_C_SOURCE 200809L /* nanosleep; NOLINT: made to be defined */
#include <time.h>

void nap_(const int *ms);
void nap_(const int *ms) {
    const struct timespec t = {0, 1000000L * *ms};
    nanosleep(&t, NULL);
}
