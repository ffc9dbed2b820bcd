/* Stands in for NVML. Its behaviour comes from the environment:
 *   NVML_STUB_FAIL=<function>=<error>   that call fails: init, count, handle, energy, memory, samples, rates, clock
 *   NVML_STUB_FAIL_GPU=<index>          only for that GPU
 *   NVML_STUB_GPUS=<n>                  number of GPUs, default 2
 *   NVML_STUB_ENERGY_MJ=<n>             GPU i has used n (i + 1) mJ since its driver was loaded
 *   NVML_STUB_WATTS=<n>                 instead: GPU i draws n (i + 1) W all the time
 *   NVML_STUB_MEMORY_B=<n>              GPU i has n (i + 1) bytes in use, default 0
 *   GPU_STUB_ALLOCATED=<file>           GPU 0 has the bytes in it in use, too (cuda_stub.c)
 *   NVML_STUB_NAME=<name>               of each GPU, default "NVIDIA H100"
 *   NVML_STUB_MODULE_MW=<n> <m>         power of each module: averaged, instant; 0: that field is not supported
 *   NVML_STUB_SAMPLES=<file>            utilisation that the driver keeps: lines of GPU, time [us], per cent
 *   NVML_STUB_PERCENT=<n> <m>           instead: of GPU 0 and of GPU 1 all the time, a sample each 0.1 s, of the last
 * 10 s NVML_STUB_RATE=<n>                  utilisation of the last instant [%], default 0 NVML_STUB_MHZ=<n> clock,
 * default 990; the largest is 1980 NVML_STUB_MIG=<index>               that GPU is divided into slices Compiled with
 * BEFORE_510 it has no nvmlDeviceGetMemoryInfo_v2, as drivers before 2021. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetCount_v2(unsigned *count);
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *energy_mJ);
struct memory_v2 { /* nvmlMemory_v2_t */
    unsigned version;
    unsigned long long total, reserved, free, used;
};
struct memory { /* nvmlMemory_t */
    unsigned long long total, free, used;
};
int nvmlDeviceGetMemoryInfo(void *device, struct memory *memory);
int nvmlDeviceGetMemoryInfo_v2(void *device, struct memory_v2 *memory);
struct field { /* nvmlFieldValue_t */
    unsigned id, scope;
    long long time_us, latency_us;
    int type, error;
    union {
        double d;
        unsigned u;
        unsigned long long ull;
    } value;
};
int nvmlDeviceGetName(void *device, char *name, unsigned length);
int nvmlDeviceGetFieldValues(void *device, int count, struct field *fields);
int nvmlDeviceGetUUID(void *device, char *uuid, unsigned length);
int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *pending);
struct sample { /* nvmlSample_t */
    unsigned long long time_us;
    union {
        double d;
        unsigned u;
        unsigned long long ull;
    } value;
};
int nvmlDeviceGetSamples(void *device, int kind, unsigned long long last_us, int *type, unsigned *count,
                         struct sample *samples);
struct utilization { /* nvmlUtilization_t */
    unsigned gpu, memory;
};
int nvmlDeviceGetUtilizationRates(void *device, struct utilization *utilization);
int nvmlDeviceGetClockInfo(void *device, int clock, unsigned *MHz);
int nvmlDeviceGetMaxClockInfo(void *device, int clock, unsigned *MHz);
const char *nvmlErrorString(int error);
int nvml_stub_open(void);

static int opened;
static int gpus[16];

static int wanted_failure(const char *function, int gpu) {
    const char *text = getenv("NVML_STUB_FAIL");
    const char *only = getenv("NVML_STUB_FAIL_GPU");
    const size_t length = strlen(function);
    if (text == NULL || strncmp(text, function, length) != 0 || text[length] != '=') return 0;
    if (only != NULL && atoi(only) != gpu) return 0;
    return atoi(text + length + 1);
}

int nvmlInit_v2(void) {
    const int failure = wanted_failure("init", 0);
    if (failure == 0) ++opened;
    return failure;
}

int nvmlShutdown(void) {
    --opened;
    return 0;
}

int nvmlDeviceGetCount_v2(unsigned *count) {
    const char *text = getenv("NVML_STUB_GPUS");
    *count = text != NULL ? (unsigned)atoi(text) : 2;
    return wanted_failure("count", 0);
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
    gpus[index] = (int)index;
    *device = &gpus[index];
    return wanted_failure("handle", (int)index);
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *energy_mJ) {
    const int index = *(int *)device;
    const char *watts = getenv("NVML_STUB_WATTS");
    if (watts != NULL) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        const double ms = 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
        *energy_mJ = (unsigned long long)(atof(watts) * (index + 1) * ms);
        return wanted_failure("energy", index);
    }
    const char *text = getenv("NVML_STUB_ENERGY_MJ");
    *energy_mJ = (text != NULL ? strtoull(text, NULL, 10) : 0) * (unsigned long long)(index + 1);
    return wanted_failure("energy", index);
}

static unsigned long long memory_used(int index) {
    const char *text = getenv("NVML_STUB_MEMORY_B");
    const char *path = getenv("GPU_STUB_ALLOCATED");
    unsigned long long used = (text != NULL ? strtoull(text, NULL, 10) : 0) * (unsigned long long)(index + 1);
    FILE *file = path != NULL && index == 0 ? fopen(path, "r") : NULL;
    char line[32];
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        used += strtoull(line, NULL, 10);
    if (file != NULL) fclose(file);
    return used;
}

/* 1 MiB is the driver's own: the older call counts it as used. */
int nvmlDeviceGetMemoryInfo(void *device, struct memory *memory) {
    memory->used = memory_used(*(int *)device) + 1048576;
    return wanted_failure("memory", *(int *)device);
}

#ifndef BEFORE_510
int nvmlDeviceGetMemoryInfo_v2(void *device, struct memory_v2 *memory) {
    if (memory->version != (sizeof *memory | 2U << 24U)) return 25; /* NVML_ERROR_ARGUMENT_VERSION_MISMATCH */
    memory->used = memory_used(*(int *)device);
    return wanted_failure("memory", *(int *)device);
}
#endif

int nvmlDeviceGetName(void *device, char *name, unsigned length) {
    const char *text = getenv("NVML_STUB_NAME");
    snprintf(name, length, "%s", text != NULL ? text : "NVIDIA H100");
    return wanted_failure("name", *(int *)device);
}

int nvmlDeviceGetFieldValues(void *device, int count, struct field *fields) {
    enum { average = 185, instant = 186, of_module = 1, is_unsigned = 1, is_unsigned_long_long = 3, unsupported = 3 };
    const char *text = getenv("NVML_STUB_MODULE_MW");
    unsigned mW[2] = {0, 0};
    if (text != NULL) sscanf(text, "%u %u", &mW[0], &mW[1]);
    for (int i = 0; i < count; ++i) {
        const unsigned id = fields[i].id;
        const unsigned power_mW =
            fields[i].scope == of_module && (id == average || id == instant) ? mW[id - average] : 0;
        fields[i].error = power_mW != 0 ? 0 : unsupported;
        fields[i].type = id == average ? is_unsigned : is_unsigned_long_long;
        if (id == average) fields[i].value.u = power_mW;
        if (id == instant) fields[i].value.ull = power_mW;
    }
    return wanted_failure("fields", *(int *)device);
}

int nvmlDeviceGetUUID(void *device, char *uuid, unsigned length) {
    snprintf(uuid, length, "GPU-00000000-0000-0000-0000-%012d", *(int *)device);
    return wanted_failure("uuid", *(int *)device);
}

int nvmlDeviceGetMigMode(void *device, unsigned *current, unsigned *pending) {
    const char *text = getenv("NVML_STUB_MIG");
    if (text == NULL) return 3; /* NVML_ERROR_NOT_SUPPORTED */
    *current = *pending = atoi(text) == *(int *)device ? 1 : 0;
    return 0;
}

enum { most_samples = 100 };

static unsigned keep(struct sample *all, unsigned n, unsigned long long time_us, unsigned per_cent) {
    if (n == most_samples) { /* the oldest is forgotten */
        memmove(all, all + 1, (most_samples - 1) * sizeof *all);
        --n;
    }
    all[n].time_us = time_us;
    all[n].value.ull = 0;
    all[n].value.u = per_cent;
    return n + 1;
}

/* The samples of a GPU that are kept; none: it has no such samples. */
static unsigned kept_samples(int gpu, struct sample *all) {
    const char *path = getenv("NVML_STUB_SAMPLES"), *steady = getenv("NVML_STUB_PERCENT");
    unsigned n = 0;
    if (path != NULL) {
        FILE *file = fopen(path, "r");
        unsigned of, per_cent;
        unsigned long long time_us;
        while (file != NULL && fscanf(file, "%u %llu %u", &of, &time_us, &per_cent) == 3)
            if ((int)of == gpu) n = keep(all, n, time_us, per_cent);
        if (file != NULL) fclose(file);
    } else if (steady != NULL) {
        unsigned per_cent[2] = {0, 0};
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        const unsigned long long fiftieths =
            (unsigned long long)now.tv_sec * 50 + (unsigned long long)now.tv_nsec / 20000000;
        sscanf(steady, "%u %u", &per_cent[0], &per_cent[1]);
        for (unsigned long long t = fiftieths - most_samples + 1; t <= fiftieths; ++t)
            n = keep(all, n, t * 20000, gpu < 2 ? per_cent[gpu] : 0);
    }
    return n;
}

int nvmlDeviceGetSamples(void *device, int kind, unsigned long long last_us, int *type, unsigned *count,
                         struct sample *samples) {
    struct sample all[most_samples];
    unsigned later = 0;
    const unsigned n = kept_samples(*(int *)device, all);
    const int failure = wanted_failure("samples", *(int *)device);
    if (failure != 0) return failure;
    if (kind != 1 || n == 0) return 3; /* NVML_ERROR_NOT_SUPPORTED */
    *type = 1;                         /* unsigned */
    if (samples == NULL) {
        *count = most_samples;
        return 0;
    }
    for (unsigned i = 0; i < n; ++i) {
        if (all[i].time_us <= last_us) continue;
        if (later == *count) return 7; /* NVML_ERROR_INSUFFICIENT_SIZE */
        samples[later++] = all[i];
    }
    *count = later;
    return later == 0 ? 6 : 0; /* NVML_ERROR_NOT_FOUND */
}

int nvmlDeviceGetUtilizationRates(void *device, struct utilization *utilization) {
    const char *text = getenv("NVML_STUB_RATE");
    utilization->gpu = text != NULL ? (unsigned)atoi(text) : 0;
    utilization->memory = 99;
    return wanted_failure("rates", *(int *)device);
}

int nvmlDeviceGetClockInfo(void *device, int clock, unsigned *MHz) {
    const char *text = getenv("NVML_STUB_MHZ");
    *MHz = clock != 1 ? 1 : text != NULL ? (unsigned)atoi(text) : 990;
    return wanted_failure("clock", *(int *)device);
}

int nvmlDeviceGetMaxClockInfo(void *device, int clock, unsigned *MHz) {
    (void)device;
    *MHz = clock != 1 ? 1 : 1980;
    return 0;
}

const char *nvmlErrorString(int error) {
    static char text[64];
    snprintf(text, sizeof text, "stub error %d", error);
    return text;
}

int nvml_stub_open(void) {
    return opened;
}
