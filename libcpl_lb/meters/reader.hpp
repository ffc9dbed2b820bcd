// The interface of every reader of a meter, and where readers look. A meter is one file, with its reader, and one row
// in rows.inc; template_reader.cpp is one to copy.
//
// Life: construct -> open() once -> read() many times -> destroy, from one thread at a time.
//   open()  may allocate and take milliseconds. It answers whether the meter works HERE, found out by reading it
//           once, not by looking for it; when it does not, why and what to ask the administrator for.
//   read()  does not throw, allocate, print or communicate. It is meant for once a second, not for the hot path.
//           What is missing is NaN, never 0.
// Typical cost of one read() on a 2-core guest (tests/bench/reader_cost prints it for the machine at hand):
//   rss 2.5 us (statm 0.3 and status 2.2), node_memory 5 us, rapl 1 us a zone on real sysfs, perf_power 0.5 us a
//   domain, nvml 10 to 100 us a GPU, papi and perf_events 0.3 us an event set or event.
#pragma once

#include "data/time.hpp"
#include "meters/perf_event_file.hpp"
#include "meters/small_file.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cpl_lb {

// The scope of a quantity. Only one process of a node reads the quantities of the node and its devices.
enum class Scope : std::uint8_t { process, node, device };

// A counter counts up from open(), where it is 0; a gauge has a value at each instant.
enum class Measure : std::uint8_t { counter, gauge };

// RAPL domains, GPUs, modules and whole nodes. core and uncore lie inside package; psys contains package and dram; a
// module holds processors and GPUs with their memory on one board or in one socket, and contains package, dram and
// gpu; node contains all others.
enum class Domain : std::uint8_t { none, package, dram, core, uncore, psys, gpu, module, node };

struct Quantity {
    std::string name{}; // as printed: "rss", "package-0/dram", "PAPI_TOT_INS"
    std::string unit{}; // "B", "J", "1"
    Scope scope = Scope::process;
    Measure measure = Measure::gauge;
    Domain domain = Domain::none;
    double wraps_after = unknown; // in `unit`: two wraps between two reads cannot be told from one
    std::string why_missing{};    // why a wanted quantity is always NaN here; else empty
};

struct Availability {
    bool works = false;
    std::string reason; // why it does not work; if it works: empty, or what is missing
    std::string remedy; // what the user or the administrator can do; empty: nothing
    // True if the machine simply has no such hardware. Then a run prints nothing about it.
    bool hardware_missing = false;

    [[nodiscard]] static Availability good() { return {true, {}, {}, false}; }
    [[nodiscard]] static Availability missing(std::string why, std::string what_to_do = {}) {
        return {false, std::move(why), std::move(what_to_do), false};
    }
    [[nodiscard]] static Availability no_hardware(std::string why) { return {false, std::move(why), {}, true}; }
};

class Reader {
public:
    Reader() = default;
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;
    Reader(Reader &&) = delete;
    Reader &operator=(Reader &&) = delete;
    virtual ~Reader() = default;

    [[nodiscard]] virtual std::string_view name() const noexcept = 0;
    [[nodiscard]] virtual Availability open() = 0;
    // The quantities; fixed after open(). If nothing works: empty, or all with why_missing.
    [[nodiscard]] std::span<const Quantity> quantities() const noexcept { return quantities_; }
    // values[i] belongs to quantities()[i].
    void read(std::span<double> values) noexcept {
        std::ranges::fill(values, unknown);
        read_known(values);
    }
    // Everything that went wrong since open(), each once, in words, for the end of the run.
    [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }

protected:
    // Enters what is known; the rest stays NaN.
    virtual void read_known(std::span<double> values) noexcept = 0;
    // One more counter of energy.
    void add_joules(std::string name, Scope scope, Domain domain) {
        quantities_.push_back(
            {.name = std::move(name), .unit = "J", .scope = scope, .measure = Measure::counter, .domain = domain});
    }

    std::vector<Quantity> quantities_;
};

// The default clock of meters, for differences only.
[[nodiscard]] inline Nanoseconds steady_now() noexcept {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Where readers look for files, system calls, libraries and the time. Tests put recorded trees, failing calls and
// stubs here.
struct ReaderOptions {
    std::string sysfs_root = "/sys";
    std::string procfs_root = "/proc";
    std::string counters;     // cn_counters: event names, comma separated
    std::string papi_library; // path; empty: the well-known names
    std::string pfm_library;
    std::string nvml_library;
    std::string rocm_smi_library;
    std::string cuda_library, hsa_library; // which a process that computes on GPUs has loaded
    OpenFile open_file = open_for_reading;
    PerfEventOpen perf_event_open = system_perf_event_open;
    Nanoseconds (*clock)() noexcept = steady_now; // any steady one
};

} // namespace cpl_lb
