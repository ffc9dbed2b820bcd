// The driver's library of one maker of GPUs, opened at run time: a small table of functions for the meters of energy
// and memory, so that each of these is written once. And what the meter of utilisation knows of GPUs.
#pragma once

#include "data/hardware.hpp"
#include "meters/dynamic_library.hpp"
#include "meters/reader.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cpl_lb {

// Functions return the driver's status: 0 is good, gpu_cannot means that the driver has no such function.
inline constexpr int gpu_cannot = -1;

// What the library and its functions are called.
struct GpuNames {
    const char *meter, *prefix;              // prefix: of a GPU
    const char *no_library, *no_gpu, *newer; // what is missing
    const char *init_call, *count_call, *energy_call, *memory_call;
    std::vector<std::string_view> libraries;
};

class GpuDriver {
public:
    explicit GpuDriver(GpuNames all) : names(std::move(all)) {}
    GpuDriver(const GpuDriver &) = delete;
    GpuDriver &operator=(const GpuDriver &) = delete;
    virtual ~GpuDriver() {
        if (initialised_) static_cast<void>(shutdown_());
    }

    // gpus: the numbers of those of the node, at least one if it works.
    [[nodiscard]] Availability open(const std::string &path, std::vector<unsigned> &gpus);
    [[nodiscard]] virtual int joules(unsigned gpu, double &J) noexcept = 0;             // since the driver was loaded
    [[nodiscard]] virtual int watts(unsigned, double &) noexcept { return gpu_cannot; } // where joules() cannot
    [[nodiscard]] virtual int module_watts(unsigned, double &) noexcept { return gpu_cannot; } // that it is alone on
    [[nodiscard]] virtual int memory_B(unsigned gpu, double &used) noexcept = 0;
    [[nodiscard]] virtual bool is_module(unsigned) const { return false; } // its counter has processors in it, too
    [[nodiscard]] virtual bool is_counted_elsewhere(double) const { return false; } // by the first joules
    [[nodiscard]] virtual std::string words(int status) const = 0;
    [[nodiscard]] Availability failed(const char *call, int status) const {
        return Availability::missing(std::string(call) + ": " + words(status), remedy(call, status));
    }

    const GpuNames names;

protected:
    [[nodiscard]] virtual bool find_all() = 0; // the functions
    [[nodiscard]] virtual int initialise() = 0;
    [[nodiscard]] virtual bool has_no_gpu(int) const { return false; } // by the status of initialise()
    [[nodiscard]] virtual bool is_gpu(unsigned gpu) = 0;               // and no further part of one
    [[nodiscard]] virtual const char *remedy(std::string_view call, int status) const = 0;

    DynamicLibrary library_;
    int (*shutdown_)() = nullptr;
    int (*count_)(unsigned *) = nullptr;

private:
    bool initialised_ = false;
};

[[nodiscard]] std::unique_ptr<GpuDriver> nvml_driver();
[[nodiscard]] std::unique_ptr<GpuDriver> rocm_smi_driver();

struct FoundGpu {
    NodeGpu gpu;
    std::size_t busy = 0;             // the place of its busy seconds among the quantities
    std::optional<std::size_t> clock; // that of its clock, as a share of the largest; none: not told
    std::string why_not_busy;         // why its busy seconds are never known; else empty
};

// Its quantities are "gpu-0", the seconds that the GPU was busy since open(), and "gpu-0/clock".
class GpuBusyReader : public Reader {
public:
    // Also after an open() that did not work.
    [[nodiscard]] const std::vector<FoundGpu> &gpus() const noexcept { return found_; }
    [[nodiscard]] bool knows_gpus() const noexcept { return knows_gpus_; } // false: whether there are any

protected:
    std::vector<FoundGpu> found_;
    bool knows_gpus_ = false;
};

} // namespace cpl_lb
