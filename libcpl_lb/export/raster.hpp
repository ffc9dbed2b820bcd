// Small netCDF files that ncview, Ferret and CDO show at once: raster_<component>.nc with kind_dominant(process,
// elapsed), the kind that fills most of each bin of time, and the component's coupling steps as variables along
// `step`.
#pragma once

#include "export/event_sink.hpp"

#include <cstddef>
#include <memory>

namespace cpl_lb {

inline constexpr std::size_t raster_bins = 2048;
inline constexpr signed char raster_computing = -1, raster_not_running = -127;

class RasterSink final : public EventSink {
public:
    RasterSink(std::string folder, const CoupledRun &run);
    ~RasterSink() override;
    RasterSink(const RasterSink &) = delete;
    RasterSink &operator=(const RasterSink &) = delete;

    void row(const Component &component, std::int64_t process, const Row &row) override;
    void finish() override;

    [[nodiscard]] const std::vector<std::string> &files() const { return files_; } // names in the folder

private:
    struct OpenFile;
    void open(const Component &component);
    void close();

    std::string folder_;
    const CoupledRun &run_;
    std::unique_ptr<OpenFile> file_;
    std::vector<std::string> files_;
};

// The kind with the longest time in each bin; computing is what no event takes of the time in which the component
// runs. edges: one more than bins, ascending.
[[nodiscard]] std::vector<signed char> dominant_kinds(const Component &component, const Row &row,
                                                      const std::vector<Nanoseconds> &edges);

} // namespace cpl_lb
