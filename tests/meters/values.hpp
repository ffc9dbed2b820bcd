// Opens a reader and gives its values by name, for the tests of readers.
#pragma once

#include "meters/reader.hpp"

#include "tests/meters/recorded_tree.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

namespace cpl_lb_test {

inline cpl_lb::ReaderOptions options_for(const RecordedTree &tree) {
    cpl_lb::ReaderOptions options;
    options.sysfs_root = tree.root();
    options.nvml_library = "/nonexistent/libnvidia-ml.so.1";
    options.rocm_smi_library = "/nonexistent/librocm_smi64.so.1";
    return options;
}

inline std::vector<double> read_all(cpl_lb::Reader &reader) {
    std::vector<double> values(reader.quantities().size(), -1.0);
    reader.read(values);
    return values;
}

inline double value_of(cpl_lb::Reader &reader, std::string_view name) {
    const auto values = read_all(reader);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (reader.quantities()[i].name == name) return values[i];
    }
    FAIL("no quantity " << name);
    return 0;
}

inline std::vector<std::string> names_of(const cpl_lb::Reader &reader) {
    std::vector<std::string> names;
    for (const auto &quantity : reader.quantities())
        names.push_back(quantity.name);
    return names;
}

// So many page faults of this process.
inline void fault_pages(std::size_t pages) {
    const auto page_B = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void *block = ::mmap(nullptr, pages * page_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(block != MAP_FAILED);
    ::madvise(block, pages * page_B, MADV_NOHUGEPAGE);
    for (std::size_t i = 0; i < pages; ++i)
        static_cast<char *>(block)[i * page_B] = 1;
    ::munmap(block, pages * page_B);
}

inline bool mentions(const std::vector<std::string> &texts, std::string_view part) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string &text) { return text.find(part) != std::string::npos; });
}

} // namespace cpl_lb_test
