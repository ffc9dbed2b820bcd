// What a reader of the GPUs of one maker knows of them: which there are, and how long each was busy.
#pragma once

#include "data/hardware.hpp"
#include "meters/reader.hpp"
#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

struct FoundGpu {
    NodeGpu gpu;
    std::size_t busy = 0;             // the place of its busy seconds among the quantities
    std::optional<std::size_t> clock; // that of its clock, as a share of the largest; none: not told
    std::string why_not_busy;         // why its busy seconds are never known; else empty
};

// Its quantities are "gpu-0", the seconds that the GPU was busy since open(), and "gpu-0/clock".
class GpuReader : public Reader {
public:
    // Also after an open() that did not work.
    [[nodiscard]] const std::vector<FoundGpu> &gpus() const noexcept { return found_; }
    [[nodiscard]] bool knows_gpus() const noexcept { return knows_gpus_; } // false: whether there are any

protected:
    // `why`: why its utilisation cannot be read; empty: it can.
    void add_found(NodeGpu gpu, const std::string &name, bool has_clock, const std::string &why) {
        FoundGpu &found = found_.emplace_back();
        found.gpu = std::move(gpu);
        found.why_not_busy = why;
        found.busy = quantities_.size();
        quantities_.push_back(
            {.name = name, .unit = "s", .scope = Scope::device, .measure = Measure::counter, .why_missing = why});
        if (!has_clock) return;
        found.clock = quantities_.size();
        quantities_.push_back({.name = name + "/clock", .unit = "1", .scope = Scope::device});
    }
    // After all GPUs: the reader works if one of them does.
    [[nodiscard]] Availability one_works() const {
        for (const FoundGpu &found : found_)
            if (found.why_not_busy.empty()) return Availability::good();
        return Availability::missing(found_.empty() ? "there is no GPU" : found_.front().why_not_busy);
    }

    std::vector<FoundGpu> found_;
    bool knows_gpus_ = false;
};

[[nodiscard]] std::unique_ptr<GpuReader> make_nvidia_gpu_busy_reader(const ReaderOptions &options,
                                                                     Nanoseconds (*clock)() noexcept);
[[nodiscard]] std::unique_ptr<GpuReader> make_amd_gpu_busy_reader(const ReaderOptions &options,
                                                                  Nanoseconds (*clock)() noexcept);

// The remark on a utilisation that is known at the instants of readings only.
[[nodiscard]] inline std::string read_at_instants(std::string_view gpu, double longest_step_s) {
    return say(Sentence::remark_utilisation_at_instants,
               {{"gpu", std::string(gpu)}, {"seconds", fmt::format("{:.1f}", longest_step_s)}});
}

} // namespace cpl_lb
