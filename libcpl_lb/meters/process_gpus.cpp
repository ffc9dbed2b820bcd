// Asks the libraries of CUDA and ROCm that this process has loaded, and reads the variables that hide GPUs.
#include "meters/process_gpus.hpp"

#include "meters/pbs_files.hpp"
#include "meters/small_file.hpp"
#include "support/fmt.hpp"
#include "support/system.hpp"
#include "support/threads.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <type_traits>
#include <unistd.h>

namespace cpl_lb {
namespace {

namespace fs = std::filesystem;

// Null: this process has not loaded it.
void *loaded(const std::string &path, const char *name) {
    return ::dlopen(path.empty() ? name : path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
}

// As in CUDA's driver interface, so that its header is not needed to build.
using CudaResult = int;
constexpr CudaResult cuda_success = 0, cuda_not_initialized = 3;
struct CudaUuid {
    std::array<unsigned char, 16> bytes;
};

struct Cuda {
    CudaResult (*count)(int *) = nullptr;
    CudaResult (*device)(int *, int ordinal) = nullptr;
    CudaResult (*primary_context)(int device, unsigned *flags, int *active) = nullptr;
    CudaResult (*uuid)(CudaUuid *, int device) = nullptr;
    CudaResult (*device_of_thread)(int *) = nullptr;

    explicit Cuda(void *library) {
        const auto find = [&](const char *symbol, auto **function) {
            *function = reinterpret_cast<std::remove_reference_t<decltype(**function)> *>(::dlsym(library, symbol));
        };
        find("cuDeviceGetCount", &count);
        find("cuDeviceGet", &device);
        find("cuDevicePrimaryCtxGetState", &primary_context);
        find("cuDeviceGetUuid", &uuid);
        find("cuCtxGetDevice", &device_of_thread);
    }
    [[nodiscard]] bool is_whole() const {
        return count != nullptr && device != nullptr && primary_context != nullptr && uuid != nullptr;
    }
};

// As NVML and nvidia-smi write it.
std::string uuid_text(const CudaUuid &uuid) {
    std::string text = "GPU-";
    for (std::size_t i = 0; i < uuid.bytes.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        text += fmt::format("{:02x}", static_cast<unsigned>(uuid.bytes[i]));
    }
    return text;
}

struct Told {
    bool all = false;
    std::vector<std::string> uuids;
};

// A process that has initialised CUDA and has no context may have had one: that tells nothing.
Told gpus_of_cuda(const Cuda &cuda, int device_of_thread) {
    int devices = 0;
    const CudaResult result = cuda.count(&devices);
    if (result == cuda_not_initialized) return {true, {}};
    Told told;
    for (int i = 0; result == cuda_success && i < devices; ++i) {
        int device = 0, active = 0;
        unsigned flags = 0;
        CudaUuid uuid{};
        if (cuda.device(&device, i) != cuda_success || cuda.primary_context(device, &flags, &active) != cuda_success)
            continue;
        if ((active != 0 || device == device_of_thread) && cuda.uuid(&uuid, device) == cuda_success)
            told.uuids.push_back(uuid_text(uuid));
    }
    told.all = !told.uuids.empty();
    return told;
}

Told ask_cuda(const std::string &path) {
    void *library = loaded(path, "libcuda.so.1");
    if (library == nullptr) return {true, {}};
    const Cuda cuda(library);
    if (!cuda.is_whole()) return {};
    int device_of_thread = -1;
    if (cuda.device_of_thread != nullptr && cuda.device_of_thread(&device_of_thread) != cuda_success)
        device_of_thread = -1;
    // The model's other threads may hold the driver's locks.
    const auto told = std::make_shared<Told>();
    const bool done = done_within(least_patience_s, [=] { *told = gpus_of_cuda(cuda, device_of_thread); });
    return done ? *told : Told{};
}

Told ask_rocm(const ReaderOptions &options) {
    if (loaded(options.hsa_library, "libhsa-runtime64.so.1") == nullptr) return {true, {}};
    std::vector<std::string> uuids = gpus_with_queues(options.sysfs_root, static_cast<int>(::getpid()));
    return {!uuids.empty(), std::move(uuids)};
}

void sort_and_unite(std::vector<std::string> &names) {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
}

// "0,1", "GPU-5a1c...", "0-3" as some batch systems write it. Behind an entry that names no GPU, CUDA and ROCm see no
// more of them. Nothing: the variable is not set.
std::optional<std::vector<std::string>> listed_gpus(const char *value) {
    if (value == nullptr) return std::nullopt;
    std::vector<std::string> gpus;
    std::string_view rest(value);
    while (!rest.empty()) {
        const std::string_view one = rest.substr(0, rest.find(','));
        rest = one.size() == rest.size() ? std::string_view() : rest.substr(one.size() + 1);
        const auto digits = [](std::string_view text) {
            return !text.empty() && text.size() <= 4 &&
                   text.find_first_not_of("0123456789") == std::string_view::npos;
        };
        const std::size_t dash = one.find('-');
        if (one.starts_with("GPU-") || one.starts_with("MIG-") || digits(one)) {
            gpus.emplace_back(one);
        } else if (dash != std::string_view::npos && digits(one.substr(0, dash)) && digits(one.substr(dash + 1))) {
            const int last = std::stoi(std::string(one.substr(dash + 1)));
            for (int i = std::stoi(std::string(one.substr(0, dash))); i <= last; ++i)
                gpus.push_back(fmt::format("{}", i));
        } else {
            break;
        }
    }
    sort_and_unite(gpus);
    return gpus;
}

// The GPUs are numbered from 0 in each task if the batch system lets each task see its own only.
bool may_be_renumbered(const std::vector<std::string> &gpus, std::size_t of_job) {
    if (gpus.size() >= of_job) return false;
    for (std::size_t i = 0; i < gpus.size(); ++i)
        if (gpus[i] != fmt::format("{}", i)) return false;
    return true;
}

// GPUs that a batch system gives the job on this node.
struct GpusOfJob {
    std::vector<std::string> gpus;
    const char *from = "";
    std::size_t at_most = 0; // as many as the job has in all, if they are not known of this node
};

GpusOfJob gpus_of_job(const char *(*value_of)(const char *name), const std::string &node) {
    GpusOfJob job;
    for (const char *name : {"SLURM_STEP_GPUS", "SLURM_JOB_GPUS"}) {
        job.gpus = listed_gpus(value_of(name)).value_or(std::vector<std::string>());
        job.from = name;
        job.at_most = job.gpus.size();
        if (!job.gpus.empty()) return job;
    }
    if (const auto text = read_job_file(value_of("PBS_GPUFILE"))) {
        GpuLines lines = gpu_lines(*text, node);
        job.from = "PBS_GPUFILE";
        job.at_most = lines.here.empty() ? static_cast<std::size_t>(lines.all) : lines.here.size();
        job.gpus = std::move(lines.here);
        sort_and_unite(job.gpus);
    }
    return job;
}

const char *value_here(const char *name) {
    return std::getenv(name); // NOLINT(concurrency-mt-unsafe): the model changes none meanwhile
}

} // namespace

ProcessGpus gpus_of_environment(const char *(*value_of)(const char *name), const std::string &node) {
    constexpr std::array<const char *, 4> of_process = {"CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                                                        "HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"};
    GpusOfJob job = gpus_of_job(value_of, node);
    ProcessGpus gpus;
    for (const char *name : of_process) {
        const auto visible = listed_gpus(value_of(name));
        if (!visible) continue;
        gpus.visible_from = name;
        gpus.told = visible->empty(); // all are hidden from it
        if (may_be_renumbered(*visible, job.at_most)) continue;
        gpus.visible = *visible;
        return gpus;
    }
    gpus.visible_from = job.gpus.empty() ? "" : job.from;
    gpus.of_job = !job.gpus.empty();
    gpus.visible = std::move(job.gpus);
    return gpus;
}

std::vector<std::string> gpus_with_queues(const std::string &sysfs_root, int process) {
    const fs::path kfd = fs::path(sysfs_root) / "class/kfd/kfd";
    std::error_code failed;
    std::map<std::uint64_t, std::string> uuid_of; // by the kernel's number
    for (fs::directory_iterator node(kfd / "topology/nodes", failed), end; !failed && node != end;
         node.increment(failed)) {
        const auto number = read_text((node->path() / "gpu_id").string());
        const auto properties = read_text((node->path() / "properties").string());
        const auto id = number ? parse_number(*number) : std::nullopt;
        const auto unique = properties ? number_after(*properties, "unique_id") : std::nullopt;
        if (id && unique) uuid_of[*id] = fmt::format("GPU-{:016x}", *unique);
    }
    std::vector<std::string> uuids;
    const fs::path queues = kfd / "proc" / fmt::format("{}", process) / "queues";
    failed.clear();
    for (fs::directory_iterator queue(queues, failed), end; !failed && queue != end; queue.increment(failed)) {
        const auto number = read_text((queue->path() / "gpuid").string());
        const auto id = number ? parse_number(*number) : std::nullopt;
        if (id && uuid_of.contains(*id)) uuids.push_back(uuid_of[*id]);
    }
    sort_and_unite(uuids);
    return uuids;
}

ProcessGpus gpus_of_process(const ReaderOptions &options) {
    ProcessGpus gpus = gpus_of_environment(value_here, host_name());
    const Told cuda = ask_cuda(options.cuda_library), rocm = ask_rocm(options);
    // There is no meter of Intel's GPUs.
    const bool other = loaded({}, "libze_loader.so.1") != nullptr;
    gpus.told = gpus.told || (cuda.all && rocm.all && !other);
    gpus.uuids = cuda.uuids;
    gpus.uuids.insert(gpus.uuids.end(), rocm.uuids.begin(), rocm.uuids.end());
    sort_and_unite(gpus.uuids);
    return gpus;
}

} // namespace cpl_lb
