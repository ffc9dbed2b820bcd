/* The load's kernel is PTX, which the driver compiles for the GPU at hand: sm_70 (Volta) is the first that counts
 * energy. */
#define _POSIX_C_SOURCE 200809L
#include "gpu_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <time.h>

/* Each thread: `rounds` times eight multiply-adds, in four chains that do not wait for each other. */
static const char kernel[] = ".version 6.0\n"
                             ".target sm_70\n"
                             ".address_size 64\n"
                             ".visible .entry burn(.param .u64 out, .param .u32 rounds)\n"
                             "{\n"
                             ".reg .pred %p;\n"
                             ".reg .b32 %r<7>;\n"
                             ".reg .f32 %f<7>;\n"
                             ".reg .b64 %d<4>;\n"
                             "ld.param.u64 %d1, [out];\n"
                             "ld.param.u32 %r1, [rounds];\n"
                             "cvta.to.global.u64 %d2, %d1;\n"
                             "mov.u32 %r2, %tid.x;\n"
                             "mov.u32 %r3, %ctaid.x;\n"
                             "mov.u32 %r4, %ntid.x;\n"
                             "mad.lo.s32 %r5, %r3, %r4, %r2;\n"
                             "mul.wide.u32 %d3, %r5, 4;\n"
                             "add.s64 %d2, %d2, %d3;\n"
                             "cvt.rn.f32.u32 %f1, %r5;\n"
                             "mov.f32 %f2, %f1;\n"
                             "mov.f32 %f3, %f1;\n"
                             "mov.f32 %f4, %f1;\n"
                             "mov.f32 %f5, 0f3F7FBE77;\n" /* 0.999 */
                             "mov.f32 %f6, 0f3A83126F;\n" /* 0.001 */
                             "mov.u32 %r6, 0;\n"
                             "again:\n"
                             "fma.rn.f32 %f1, %f1, %f5, %f6;\n"
                             "fma.rn.f32 %f2, %f2, %f5, %f6;\n"
                             "fma.rn.f32 %f3, %f3, %f5, %f6;\n"
                             "fma.rn.f32 %f4, %f4, %f5, %f6;\n"
                             "fma.rn.f32 %f1, %f1, %f5, %f6;\n"
                             "fma.rn.f32 %f2, %f2, %f5, %f6;\n"
                             "fma.rn.f32 %f3, %f3, %f5, %f6;\n"
                             "fma.rn.f32 %f4, %f4, %f5, %f6;\n"
                             "add.s32 %r6, %r6, 1;\n"
                             "setp.lt.u32 %p, %r6, %r1;\n"
                             "@%p bra again;\n"
                             "add.f32 %f1, %f1, %f2;\n"
                             "add.f32 %f3, %f3, %f4;\n"
                             "add.f32 %f1, %f1, %f3;\n"
                             "st.global.f32 [%d2], %f1;\n"
                             "ret;\n"
                             "}\n";

typedef unsigned long long device_pointer;

static struct {
    int (*init)(unsigned);
    int (*device)(int *, int);
    int (*attribute)(int *, int, int);
    int (*context)(void **, int);
    int (*set_context)(void *);
    int (*synchronize)(void);
    int (*allocate)(device_pointer *, size_t);
    int (*fill)(device_pointer, unsigned char, size_t);
    int (*release)(device_pointer);
    int (*load)(void **, const void *);
    int (*function)(void **, void *, const char *);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                  void **);
    int (*words)(int, const char **);
} cuda;

static device_pointer memory;
static void *burn;
static int processors;

static int failed(const char *what, int error) {
    const char *text = NULL;
    if (error == 0) return 0;
    if (cuda.words != NULL) cuda.words(error, &text);
    fprintf(stderr, "gpu_load: %s: %s\n", what, text != NULL ? text : "failed");
    return 1;
}

static int find_all(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == NULL) {
        fprintf(stderr, "gpu_load: %s\n", dlerror());
        return 1;
    }
    const struct {
        const char *name;
        void *place;
    } functions[] = {{"cuInit", &cuda.init},
                     {"cuDeviceGet", &cuda.device},
                     {"cuDeviceGetAttribute", &cuda.attribute},
                     {"cuDevicePrimaryCtxRetain", &cuda.context},
                     {"cuCtxSetCurrent", &cuda.set_context},
                     {"cuCtxSynchronize", &cuda.synchronize},
                     {"cuMemAlloc_v2", &cuda.allocate},
                     {"cuMemsetD8_v2", &cuda.fill},
                     {"cuMemFree_v2", &cuda.release},
                     {"cuModuleLoadData", &cuda.load},
                     {"cuModuleGetFunction", &cuda.function},
                     {"cuLaunchKernel", &cuda.launch},
                     {"cuGetErrorString", &cuda.words}};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
        *(void **)functions[i].place = dlsym(library, functions[i].name);
        if (*(void **)functions[i].place == NULL) {
            fprintf(stderr, "gpu_load: libcuda.so.1 has no %s\n", functions[i].name);
            return 1;
        }
    }
    return 0;
}

int gpu_load_open(size_t bytes) {
    enum { multiprocessor_count = 16 };
    int device = 0;
    void *context = NULL, *module = NULL;
    return find_all() || failed("cuInit", cuda.init(0)) || failed("cuDeviceGet", cuda.device(&device, 0)) ||
           failed("cuDeviceGetAttribute", cuda.attribute(&processors, multiprocessor_count, device)) ||
           failed("cuDevicePrimaryCtxRetain", cuda.context(&context, device)) ||
           failed("cuCtxSetCurrent", cuda.set_context(context)) ||
           failed("cuMemAlloc", cuda.allocate(&memory, bytes)) || failed("cuMemsetD8", cuda.fill(memory, 0, bytes)) ||
           failed("cuModuleLoadData", cuda.load(&module, kernel)) ||
           failed("cuModuleGetFunction", cuda.function(&burn, module, "burn")) ||
           failed("cuCtxSynchronize", cuda.synchronize());
}

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int gpu_load_burn(double seconds) {
    enum { threads = 256 };
    /* Each thread writes 4 bytes: 8 blocks of 256 threads on each of at most some hundred processors are below 1 MiB.
     */
    const unsigned blocks = 8 * (unsigned)processors;
    unsigned rounds = 200000; /* some 10 ms */
    void *parameters[] = {&memory, &rounds};
    const double end = now_s() + seconds;
    while (now_s() < end) {
        if (failed("cuLaunchKernel", cuda.launch(burn, blocks, 1, 1, threads, 1, 1, 0, NULL, parameters, NULL)) ||
            failed("cuCtxSynchronize", cuda.synchronize()))
            return 1;
    }
    return 0;
}

int gpu_load_close(void) {
    return failed("cuMemFree", cuda.release(memory));
}
