/* Preloaded: where libpfm4 is older than the processor, PAPI finds no default PMU and switches itself off, software
 * events included. This tells it that another processor's PMU is there, so that PAPI's software events can be tested.
 */
#include <dlfcn.h>
#include <perfmon/pfmlib.h>
#include <stdlib.h>
#include <string.h>

typedef pfm_err_t (*get_info)(pfm_pmu_t, pfm_pmu_info_t *);

static get_info real_function(void) {
    static get_info found;
    /* Not RTLD_NEXT: libpfm4 may have been opened privately. */
    if (found == NULL) *(void **)&found = dlsym(dlopen("libpfm.so.4", RTLD_LAZY), "pfm_get_pmu_info");
    return found;
}

/* PAPI takes a processor's own PMU for the default one, whatever libpfm4's is_dfl says (it is 0 for AMD's Zen 4), but
 * not Intel's architectural PMU; with two of them it switches itself off, too. */
static int has_default_pmu(void) {
    for (int pmu = 0; pmu < PFM_PMU_MAX; ++pmu) {
        pfm_pmu_info_t info = {.size = sizeof info};
        if (real_function()((pfm_pmu_t)pmu, &info) == PFM_SUCCESS && info.is_present &&
            info.type == PFM_PMU_TYPE_CORE && strcmp(info.name, "ix86arch") != 0) {
            return 1;
        }
    }
    return 0;
}

pfm_err_t pfm_get_pmu_info(pfm_pmu_t pmu, pfm_pmu_info_t *info) {
    const pfm_err_t error = real_function()(pmu, info);
    if (error == PFM_SUCCESS && pmu == PFM_PMU_AMD64_FAM17H_ZEN2 && !has_default_pmu()) {
        info->is_present = 1;
        info->is_dfl = 1;
    }
    return error;
}
