/* Stands in for ROCm SMI. What its devices say stands in the file ROCM_SMI_STUB, one line for each, read at each
 * call: id pci  status count  status power_uW  status memory_B     (id and pci in hex; a status is what that call
 * returns) Without the file there is no device. ROCM_SMI_STUB_INIT=<status> makes rsmi_init fail. A counter has units
 * of 15.25 uJ here, which no real one has: a reader must ask. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int rsmi_init(uint64_t flags);
int rsmi_shut_down(void);
int rsmi_num_monitor_devices(uint32_t *devices);
int rsmi_dev_id_get(uint32_t device, uint16_t *id);
int rsmi_dev_pci_id_get(uint32_t device, uint64_t *pci);
int rsmi_dev_energy_count_get(uint32_t device, uint64_t *count, float *resolution_uJ, uint64_t *time_ns);
int rsmi_dev_power_ave_get(uint32_t device, uint32_t sensor, uint64_t *power_uW);
int rsmi_dev_power_get(uint32_t device, uint64_t *power_uW, int *type);
int rsmi_dev_memory_usage_get(uint32_t device, int type, uint64_t *used_B);
int rsmi_status_string(int status, const char **text);
int rsmi_stub_open(void);

enum { invalid_argument = 1, most_devices = 16 };
static int opened;

struct device {
    unsigned long long pci, count, power_uW, memory_B;
    unsigned id;
    int energy_status, power_status, memory_status;
};

static uint32_t read_devices(struct device *all) {
    const char *path = getenv("ROCM_SMI_STUB");
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    uint32_t devices = 0;
    if (file == NULL) return 0;
    while (devices < most_devices) {
        struct device *d = &all[devices];
        if (fscanf(file, "%x %llx %d %llu %d %llu %d %llu", &d->id, &d->pci, &d->energy_status, &d->count,
                   &d->power_status, &d->power_uW, &d->memory_status, &d->memory_B) != 8)
            break;
        ++devices;
    }
    fclose(file);
    return devices;
}

static int find(uint32_t device, struct device *found) {
    struct device all[most_devices];
    if (device >= read_devices(all)) return invalid_argument;
    *found = all[device];
    return 0;
}

/* The usual locks are between processes and may stop a model: nobody may ask for them. */
int rsmi_init(uint64_t flags) {
    const char *wanted = getenv("ROCM_SMI_STUB_INIT");
    const int status = flags != 0x400000000000000u ? invalid_argument : wanted != NULL ? atoi(wanted) : 0;
    if (status == 0) ++opened;
    return status;
}

int rsmi_shut_down(void) {
    --opened;
    return 0;
}

int rsmi_num_monitor_devices(uint32_t *devices) {
    struct device all[most_devices];
    *devices = read_devices(all);
    return 0;
}

int rsmi_dev_id_get(uint32_t device, uint16_t *id) {
    struct device d = {0};
    const int status = find(device, &d);
    *id = (uint16_t)d.id;
    return status;
}

int rsmi_dev_pci_id_get(uint32_t device, uint64_t *pci) {
    struct device d = {0};
    const int status = find(device, &d);
    *pci = d.pci;
    return status;
}

int rsmi_dev_energy_count_get(uint32_t device, uint64_t *count, float *resolution_uJ, uint64_t *time_ns) {
    struct device d = {0};
    const int status = find(device, &d);
    *count = d.count;
    *resolution_uJ = 15.25f;
    *time_ns = 0;
    return status != 0 ? status : d.energy_status;
}

int rsmi_dev_power_ave_get(uint32_t device, uint32_t sensor, uint64_t *power_uW) {
    struct device d = {0};
    const int status = sensor == 0 ? find(device, &d) : invalid_argument;
    *power_uW = d.power_uW;
    return status != 0 ? status : d.power_status;
}

#ifndef BEFORE_ROCM_6
int rsmi_dev_power_get(uint32_t device, uint64_t *power_uW, int *type) {
    *type = 1;
    return rsmi_dev_power_ave_get(device, 0, power_uW);
}
#endif

int rsmi_dev_memory_usage_get(uint32_t device, int type, uint64_t *used_B) {
    struct device d = {0};
    const int status = type == 0 ? find(device, &d) : invalid_argument;
    *used_B = d.memory_B;
    return status != 0 ? status : d.memory_status;
}

int rsmi_status_string(int status, const char **text) {
    static char words[64];
    snprintf(words, sizeof words, "stub status %d", status);
    *text = words;
    return 0;
}

int rsmi_stub_open(void) {
    return opened;
}
