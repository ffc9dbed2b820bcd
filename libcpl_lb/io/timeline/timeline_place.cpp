// Names of timelines beside those that other programs wrote.
#include "io/timeline/timeline_place.hpp"

#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <sys/stat.h>
#include <unistd.h>

namespace cpl_lb {

// The words are looked for in the bytes of the header, without netCDF: in a classic file the attributes of the whole
// file stand before the names of the variables, so whoever finds timer_strt has seen whether cpl_lb_version is there.
bool is_foreign_timeline(const std::string &path) {
    constexpr std::size_t most_read = 1U << 20U;
    std::string bytes;
    try {
        const FileHandle file = open_to_read(path);
        struct stat found {};
        if (::fstat(file.descriptor(), &found) != 0) return false;
        bytes.resize(std::min(most_read, static_cast<std::size_t>(found.st_size)));
        const ssize_t got = ::pread(file.descriptor(), bytes.data(), bytes.size(), 0);
        if (got != static_cast<ssize_t>(bytes.size())) return false;
    } catch (const FileError &) { // there is none
        return false;
    }
    const auto holds = [&](std::string_view word) { return bytes.find(word) != std::string::npos; };
    return bytes.starts_with("CDF") && holds("timer_strt") && !holds("cpl_lb_version");
}

std::string timeline_name_in(const std::string &directory, std::string_view stem) {
    std::string name = timeline_file_name(stem);
    if (!is_foreign_timeline(path_in(directory, name))) return name;
    return timeline_file_name(std::string(stem) + ".cpl_lb");
}

std::string words_for_other_name(const std::string &name, std::string_view stem) {
    const std::string usual = timeline_file_name(stem);
    return name == usual ? ""
                         : fmt::format("{} belongs to another program and was left as it is: see {}", usual, name);
}

} // namespace cpl_lb
