// Asks the library of CUDA that this process has loaded, and reads the variables that hide GPUs.
#include "meters/process_gpus.hpp"

#include "meters/dynamic_library.hpp"
#include "support/fmt.hpp"
#include "support/threads.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>

namespace cpl_lb {
namespace {

using Names = std::vector<std::string>;

// As in CUDA's driver interface, so that its header is not needed to build.
constexpr int cuda_success = 0, cuda_not_initialized = 3;
struct CudaUuid {
    std::array<unsigned char, 16> bytes;
};
struct Cuda {
    int (*count)(int *) = nullptr;
    int (*device)(int *, int ordinal) = nullptr;
    int (*primary_context)(int device, unsigned *flags, int *active) = nullptr;
    int (*uuid)(CudaUuid *, int device) = nullptr;
    int (*device_of_thread)(int *) = nullptr;
};

// As NVML and nvidia-smi write it.
std::string uuid_text(const CudaUuid &uuid) {
    std::string text = "GPU-";
    for (std::size_t i = 0; i < uuid.bytes.size(); ++i)
        text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid.bytes[i]);
    return text;
}

// Nothing: it does not tell. A process that has initialised CUDA and has no context may have had one.
std::optional<Names> gpus_of_cuda(const Cuda &cuda, int of_thread) {
    Names uuids;
    int devices = 0;
    const int result = cuda.count(&devices);
    if (result == cuda_not_initialized) return uuids;
    for (int i = 0; result == cuda_success && i < devices; ++i) {
        int device = 0, active = 0;
        unsigned flags = 0;
        CudaUuid uuid{};
        if (cuda.device(&device, i) != cuda_success || cuda.primary_context(device, &flags, &active) != cuda_success)
            continue;
        if ((active != 0 || device == of_thread) && cuda.uuid(&uuid, device) == cuda_success)
            uuids.push_back(uuid_text(uuid));
    }
    return uuids.empty() ? std::nullopt : std::optional(uuids);
}

std::optional<Names> ask_cuda(const std::string &path) {
    DynamicLibrary library;
    if (!library.open_loaded(path.empty() ? "libcuda.so.1" : path)) return Names();
    Cuda cuda;
    const bool is_whole =
        library.find("cuDeviceGetCount", &cuda.count) && library.find("cuDeviceGet", &cuda.device) &&
        library.find("cuDevicePrimaryCtxGetState", &cuda.primary_context) &&
        library.find("cuDeviceGetUuid", &cuda.uuid) && library.find("cuCtxGetDevice", &cuda.device_of_thread);
    if (!is_whole) return std::nullopt;
    int of_thread = -1;
    if (cuda.device_of_thread(&of_thread) != cuda_success) of_thread = -1;
    // The model's other threads may hold the driver's locks.
    const auto told = std::make_shared<std::optional<Names>>();
    return done_within(least_patience_s, [=] { *told = gpus_of_cuda(cuda, of_thread); }) ? *told : std::nullopt;
}

void sort_and_unite(Names &names) {
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
}

// -1: no number of a GPU.
int gpu_number(std::string_view text) {
    const bool good = !text.empty() && text.size() <= 4 && text.find_first_not_of("0123456789") == text.npos;
    return good ? std::stoi(std::string(text)) : -1;
}

// "0,1", "GPU-5a1c...", "0-3" as some batch systems write it. Behind an entry that names no GPU, CUDA sees no more of
// them. Nothing: the variable is not set.
std::optional<Names> listed_gpus(const char *value) {
    if (value == nullptr) return std::nullopt;
    Names gpus;
    for (std::string_view rest(value); !rest.empty();) {
        const std::string_view one = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        if (one.starts_with("GPU-") || one.starts_with("MIG-")) {
            gpus.emplace_back(one);
            continue;
        }
        const std::size_t dash = one.find('-');
        const int first = gpu_number(one.substr(0, dash));
        const int last = dash == one.npos ? first : gpu_number(one.substr(dash + 1));
        if (first < 0 || last < 0) break;
        for (int i = first; i <= last; ++i)
            gpus.push_back(fmt::format("{}", i));
    }
    sort_and_unite(gpus);
    return gpus;
}

// The GPUs are numbered from 0 in each task if the batch system lets each task see its own only.
bool may_be_renumbered(const Names &gpus, std::size_t of_job) {
    std::size_t i = 0;
    return gpus.size() < of_job &&
           std::ranges::all_of(gpus, [&](auto &gpu) { return gpu == fmt::format("{}", i++); });
}

const char *value_here(const char *name) {
    return std::getenv(name); // NOLINT(concurrency-mt-unsafe): the model changes none meanwhile
}

} // namespace

ProcessGpus gpus_of_environment(const char *(*value_of)(const char *name)) {
    constexpr const char *of_process = "CUDA_VISIBLE_DEVICES";
    ProcessGpus gpus; // by Slurm, those of the job on this node
    for (const char *name : {"SLURM_STEP_GPUS", "SLURM_JOB_GPUS"}) {
        gpus.visible = listed_gpus(value_of(name)).value_or(Names());
        gpus.of_job = !gpus.visible.empty();
        if (!gpus.of_job) continue;
        gpus.visible_from = name;
        break;
    }
    const auto visible = listed_gpus(value_of(of_process));
    if (!visible) return gpus;
    gpus.told = visible->empty(); // all are hidden from it
    if (may_be_renumbered(*visible, gpus.visible.size())) return gpus;
    gpus.visible = *visible;
    gpus.visible_from = of_process;
    gpus.of_job = false;
    return gpus;
}

ProcessGpus gpus_of_process(const ReaderOptions &options) {
    ProcessGpus gpus = gpus_of_environment(value_here);
    const std::optional<Names> cuda = ask_cuda(options.cuda_library);
    // Those of AMD and Intel tell nothing.
    const std::string hsa = options.hsa_library.empty() ? "libhsa-runtime64.so.1" : options.hsa_library;
    const bool others = DynamicLibrary().open_loaded(hsa) || DynamicLibrary().open_loaded("libze_loader.so.1");
    gpus.told = gpus.told || (cuda && !others);
    gpus.uuids = cuda.value_or(Names());
    sort_and_unite(gpus.uuids);
    return gpus;
}

} // namespace cpl_lb
