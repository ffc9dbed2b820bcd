// Opens a reader and gives its values by name, for the tests of readers.
#pragma once

#include "meters/energy.hpp"
#include "meters/table.hpp"

#include "tests/meters/recorded_tree.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace cpl_lb_test {

// The clock of readers in tests.
inline cpl_lb::Nanoseconds test_time = 0;
inline cpl_lb::Nanoseconds test_clock() noexcept {
    return test_time;
}
inline void pass(double seconds) {
    test_time += cpl_lb::from_seconds(seconds);
}

inline int forbid_events(const cpl_lb::PerfEventRequest &) {
    errno = EACCES;
    return -1;
}
inline int open_unless(bool forbidden, const char *path) {
    if (!forbidden) return cpl_lb::open_for_reading(path);
    errno = EACCES;
    return -1;
}

inline cpl_lb::ReaderOptions options_for(const RecordedTree &tree) {
    cpl_lb::ReaderOptions options;
    options.sysfs_root = tree.root();
    options.clock = test_clock;
    options.nvml_library = "/nonexistent/libnvidia-ml.so.1";
    options.rocm_smi_library = "/nonexistent/librocm_smi64.so.1";
    return options;
}

// A file system of processes, and no driver of a GPU.
inline cpl_lb::ReaderOptions options_of_proc(const RecordedTree &tree) {
    cpl_lb::ReaderOptions options = options_for(tree);
    options.procfs_root = tree.root();
    return options;
}

inline std::unique_ptr<cpl_lb::Reader> opened(std::unique_ptr<cpl_lb::Reader> reader) {
    const cpl_lb::Availability answer = reader->open();
    INFO(answer.reason);
    REQUIRE(answer.works);
    return reader;
}

// It does not work, and these parts are in why and in what to ask for.
inline void check_refused(const cpl_lb::Availability &answer, const std::vector<std::string> &why,
                          const std::vector<std::string> &remedy = {}) {
    INFO(answer.reason << " / " << answer.remedy);
    CHECK_FALSE(answer.works);
    for (const std::string &part : why)
        CHECK(answer.reason.find(part) != std::string::npos);
    for (const std::string &part : remedy)
        CHECK(answer.remedy.find(part) != std::string::npos);
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

// By the names of quantities; unknown: NaN.
inline void check_values(cpl_lb::Reader &reader, const std::vector<std::pair<std::string, double>> &expected) {
    const auto values = read_all(reader);
    for (const auto &[name, value] : expected) {
        INFO(name);
        const auto all = reader.quantities();
        const auto at = std::ranges::find(all, name, &cpl_lb::Quantity::name);
        REQUIRE(at != all.end());
        const double got = values[static_cast<std::size_t>(at - all.begin())];
        if (cpl_lb::is_known(value))
            CHECK(got == Approx(value));
        else
            CHECK_FALSE(cpl_lb::is_known(got));
    }
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

// A reader on a recorded tree.
struct ReaderOn {
    using Make = std::unique_ptr<cpl_lb::Reader> (*)(const cpl_lb::ReaderOptions &);
    using Change = void (*)(cpl_lb::ReaderOptions &);
    ReaderOn(
        const std::string &name, Make make, Change change = [](auto &) {})
        : tree(name), reader(make(changed(options_for(tree), change))) {}
    static cpl_lb::ReaderOptions changed(cpl_lb::ReaderOptions options, Change change) {
        change(options);
        return options;
    }
    ReaderOn &open() {
        const cpl_lb::Availability answer = reader->open();
        INFO(answer.reason);
        REQUIRE(answer.works);
        return *this;
    }
    void write(const std::string &path, const std::string &text) const { tree.write(path, text); }
    void check(const std::vector<std::pair<std::string, double>> &expected) const { check_values(*reader, expected); }
    [[nodiscard]] bool says(std::string_view part) const { return mentions(reader->remarks(), part); }
    [[nodiscard]] std::size_t remarks() const { return reader->remarks().size(); }

    RecordedTree tree;
    std::unique_ptr<cpl_lb::Reader> reader;
};

// The energy of a node on a recorded tree.
struct EnergyOn : ReaderOn {
    explicit EnergyOn(
        const std::string &name, Change change = [](auto &) {})
        : ReaderOn(name, cpl_lb::make_energy_reader, change), meter(dynamic_cast<cpl_lb::EnergyMeter &>(*reader)) {}
    // By this source; the ways that are closed are not missed.
    EnergyOn &open_by(const std::string &source) {
        const cpl_lb::Availability answer = meter.open();
        REQUIRE(answer.works);
        CHECK(answer.reason.empty());
        CHECK(meter.source() == source);
        return *this;
    }
    // The tree's next state, so many seconds later.
    void step(double seconds) {
        tree.step();
        sample(seconds);
    }
    void sample(double seconds) {
        pass(seconds);
        meter.sample();
    }

    cpl_lb::EnergyMeter &meter;
};

} // namespace cpl_lb_test
