// Writes kind_dominant and the table of coupling steps into a small netCDF file of its own, raster_<component>.nc.
// ncview draws every process one pixel high, which is too thin for few processes, and spreads its colours over the
// values that are there. Timelines of older versions and of OASIS3-MCT itself have no kind_dominant.
#pragma once

#include "export/event_sink.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cpl_lb {

// With fewer processes a row of one pixel for each is too thin to see.
inline constexpr std::int64_t fewest_rows = 512;
// Below them: what colour is what. With it each file holds all kinds, and so each kind has one colour in all files.
inline constexpr std::int64_t raster_key_rows = 48;

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
    Nanoseconds end_ = 1; // of the run
    std::unique_ptr<OpenFile> file_;
    std::vector<std::string> files_;
};

// Names of files with kind_dominant, in the folder: what each script draws.
struct ScriptFiles {
    std::vector<std::string> plots; // Ferret and Python
    std::vector<std::string> idle;  // those of `plots` that are I/O servers'
    std::vector<std::string> ncview;
};
// Writes scripts beside the results that draw them: Ferret, Python, ncview. Returns their names.
[[nodiscard]] std::vector<std::string> write_scripts(const std::string &folder, const ScriptFiles &files);

} // namespace cpl_lb
