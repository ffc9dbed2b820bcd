// Spool files for tests: made by SpoolChunks itself, then damaged by hand. Layout with pages of 4096 bytes:
// header 0, names 4096, first chunk of marks 20480, second 548864 (docs/evidence/spool_format.md).
#pragma once

#include "record/recorder.hpp"
#include "record/spool.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

namespace spool_test {

namespace fs = std::filesystem;

inline constexpr std::size_t names_at = 4096, first_chunk_at = 20480, second_chunk_at = first_chunk_at + 528384;

class Folder {
public:
    Folder() : path_(fs::temp_directory_path() / ("cpl_lb_spool_" + std::to_string(getpid()))) {
        fs::remove_all(path_);
        fs::create_directories(path_);
    }
    ~Folder() { fs::remove_all(path_); }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    [[nodiscard]] const fs::path &path() const { return path_; }

private:
    fs::path path_;
};

inline cpl_lb::SpoolIdentity identity(int rank, int size) {
    cpl_lb::SpoolIdentity id;
    id.rank = rank;
    id.size = size;
    id.component_processes = size;
    const cpl_lb::ClockPoint now = cpl_lb::take_clock_point(cpl_lb::ClockSource::gettime);
    id.first_ticks = now.ticks;
    id.first_monotonic_ns = now.monotonic_ns;
    id.started_realtime_ns = 1'700'000'000'000'000'000;
    cpl_lb::put_text(id.token, "0123456789abcdef");
    cpl_lb::put_text(id.run_id, "test");
    cpl_lb::put_text(id.component, "ocean");
    return id;
}

// Records into the spool file of that process.
inline std::unique_ptr<cpl_lb::Recorder> recorder_of(const fs::path &folder, const cpl_lb::SpoolIdentity &id,
                                                     const std::string &component = "ocean") {
    cpl_lb::Recorder::Setup setup;
    setup.chunks =
        std::make_unique<cpl_lb::SpoolChunks>(cpl_lb::spool_path(folder.string(), "0123456789abcdef", id.rank), id);
    return std::make_unique<cpl_lb::Recorder>(std::move(setup), component);
}

// The file that a process leaves that recorded `pairs` PUTs of SST and died.
inline fs::path leave(const fs::path &folder, int rank, int size, int pairs, bool dated = false) {
    const auto owner = recorder_of(folder, identity(rank, size));
    cpl_lb::Recorder &recorder = *owner;
    const int sst = recorder.field("SST", "");
    static_cast<void>(recorder.set_field(sst, "", "atmosphere"));
    for (int i = 0; i < pairs; ++i) {
        if (dated && i % 10 == 0) recorder.date(i);
        recorder.begin(1, sst);
        recorder.end(1, sst);
    }
    return cpl_lb::spool_path(folder.string(), "0123456789abcdef", rank);
}

inline std::vector<char> bytes_of(const fs::path &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
inline void write_bytes(const fs::path &path, const std::vector<char> &bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

} // namespace spool_test
