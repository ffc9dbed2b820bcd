/* Opens a model that is a library, as Python does: its coupler is seen by nobody else. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    void *library = dlopen(OPENS, RTLD_NOW | RTLD_LOCAL);
    int (*model)(int, char **);
    if (library == NULL) return fprintf(stderr, "%s\n", dlerror());
    *(void **)&model = dlsym(library, "main");
    return model(argc, argv);
}
