/* Stands in for the CUDA driver, for tests/gpu without a card. A kernel takes 20 ms. Bytes that are allocated stand
 * in the file GPU_STUB_ALLOCATED, a line for each allocation and, negative, for each that a process gives back:
 * nvml_stub.c and the made-up nvidia-smi add them up. There are two devices, with the UUIDs of nvml_stub.c.
 * CUDA_STUB_FAIL=<function>: that call fails. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int cuInit(unsigned flags);
int cuDeviceGet(int *device, int ordinal);
int cuDeviceGetCount(int *count);
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active);
int cuDeviceGetUuid(unsigned char *uuid, int device);
int cuCtxGetDevice(int *device);
int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuCtxSynchronize(void);
int cuMemAlloc_v2(unsigned long long *pointer, size_t bytes);
int cuMemsetD8_v2(unsigned long long pointer, unsigned char value, size_t bytes);
int cuMemFree_v2(unsigned long long pointer);
int cuModuleLoadData(void **module, const void *image);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **parameters, void **extra);
int cuGetErrorString(int error, const char **text);

static int some;
static size_t allocated;
static int initialised, has_context[2];

static int result_of(const char *function) {
    const char *failing = getenv("CUDA_STUB_FAIL");
    return failing != NULL && strcmp(failing, function) == 0 ? 999 : 0;
}

static void tell(const char *sign, size_t bytes) {
    const char *path = getenv("GPU_STUB_ALLOCATED");
    FILE *file = path != NULL ? fopen(path, "a") : NULL;
    if (file == NULL) return;
    fprintf(file, "%s%zu\n", sign, bytes); /* one write: lines of several processes stay whole */
    fclose(file);
}

int cuInit(unsigned flags) {
    (void)flags;
    initialised = 1;
    return result_of("cuInit");
}

int cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return result_of("cuDeviceGet");
}

int cuDeviceGetCount(int *count) {
    *count = 2;
    return initialised ? result_of("cuDeviceGetCount") : 3; /* CUDA_ERROR_NOT_INITIALIZED */
}

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
    *flags = 0;
    *active = has_context[device];
    return result_of("cuDevicePrimaryCtxGetState");
}

int cuDeviceGetUuid(unsigned char *uuid, int device) {
    memset(uuid, 0, 16);
    uuid[15] = (unsigned char)device; /* below 10: the same in hexadecimal digits */
    return result_of("cuDeviceGetUuid");
}

int cuCtxGetDevice(int *device) {
    (void)device;
    return 201; /* CUDA_ERROR_INVALID_CONTEXT: none of this thread */
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    *value = attribute == 16 ? 132 : 0; /* CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT */
    return result_of("cuDeviceGetAttribute");
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
    has_context[device] = 1;
    *context = &some;
    return result_of("cuDevicePrimaryCtxRetain");
}

int cuCtxSetCurrent(void *context) {
    return context == &some ? result_of("cuCtxSetCurrent") : 1;
}

int cuCtxSynchronize(void) {
    return result_of("cuCtxSynchronize");
}

int cuMemAlloc_v2(unsigned long long *pointer, size_t bytes) {
    *pointer = 0x1000;
    allocated = bytes;
    tell("", bytes);
    return result_of("cuMemAlloc");
}

int cuMemsetD8_v2(unsigned long long pointer, unsigned char value, size_t bytes) {
    (void)value;
    return pointer == 0x1000 && bytes == allocated ? result_of("cuMemsetD8") : 1;
}

int cuMemFree_v2(unsigned long long pointer) {
    tell("-", allocated);
    return pointer == 0x1000 ? result_of("cuMemFree") : 1;
}

int cuModuleLoadData(void **module, const void *image) {
    *module = &some;
    return strstr(image, ".entry burn(") != NULL ? result_of("cuModuleLoadData") : 1;
}

int cuModuleGetFunction(void **function, void *module, const char *name) {
    *function = &some;
    return module == &some && strcmp(name, "burn") == 0 ? result_of("cuModuleGetFunction") : 1;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **parameters, void **extra) {
    const struct timespec kernel = {.tv_nsec = 20000000};
    if (function != &some || gx == 0 || gy != 1 || gz != 1 || bx == 0 || by != 1 || bz != 1 || shared != 0 ||
        stream != NULL || extra != NULL || *(unsigned long long *)parameters[0] != 0x1000)
        return 1;
    nanosleep(&kernel, NULL);
    return result_of("cuLaunchKernel");
}

int cuGetErrorString(int error, const char **text) {
    *text = error == 999 ? "stub error" : "wrong argument";
    return 0;
}
