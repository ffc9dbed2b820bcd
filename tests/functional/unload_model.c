/* Loads a plugin (PLUGIN), which records, and unloads it in the middle of the recording. It knows nothing of the
 * library. With ENDS set the plugin ends its recording first. "name value" lines for harmless_test.cpp. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int threads(void) {
    int n = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (struct dirent *d = readdir(tasks); d != NULL; d = readdir(tasks))
        n += d->d_name[0] != '.';
    closedir(tasks);
    return n;
}

/* The code of the library: of the plugin that contains it, or of the shared library. */
static int mapped(const char *name) {
    char line[512];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    if (maps == NULL || name == NULL) return -1;
    while (fgets(line, sizeof line, maps) != NULL)
        found |= strstr(line, name) != NULL;
    fclose(maps);
    return found;
}

/* 4.0 of "MPICH Version:      4.0.2"; 0 of another MPI. */
static double mpich(void) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    const char *const name = "MPICH Version:";
    MPI_Get_library_version(text, &length);
    return strncmp(text, name, strlen(name)) == 0 ? strtod(text + strlen(name), NULL) : 0;
}

int main(int argc, char **argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int before = threads();
    void *plugin = dlopen(getenv("PLUGIN"), RTLD_NOW | RTLD_LOCAL);
    if (plugin == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        MPI_Abort(MPI_COMM_WORLD, 3);
        return 3;
    }
    int (*start)(MPI_Comm) = NULL;
    int (*end)(void) = NULL;
    *(void **)&start = dlsym(plugin, "plugin_start"); /* as POSIX writes it */
    *(void **)&end = dlsym(plugin, "plugin_end");
    const int started = start(MPI_COMM_WORLD);
    const int recording = threads();
    const int ended = getenv("ENDS") != NULL ? end() : 0;
    const int closed = dlclose(plugin);
    usleep(500000); /* the library's thread wakes up several times */
    if (rank == 0) {
        printf("started %d\nended %d\nclosed %d\nthreads %d\n", started, ended, closed, recording - before);
        printf("mpich %g\n", mpich());
        printf("mapped %d\n", mapped(getenv("CODE")));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
