// PAPI as found at run time: the few functions that the reader calls. Names and numbers are PAPI's.
#pragma once

#include "meters/dynamic_library.hpp"
#include "meters/reader.hpp"

#include <string>

namespace cpl_lb {

inline constexpr int papi_ok = 0;
inline constexpr int papi_null = -1;
enum class PapiError : int {
    system = -3,
    no_event = -7,
    conflict = -8,
    no_counters = -13,
    permission = -15,
    too_many = -23,
    component_disabled = -25,
    many_passes = -27
};

struct PapiApi {
    DynamicLibrary library;
    int (*library_init)(int) = nullptr;
    int (*event_name_to_code)(const char *, int *) = nullptr;
    int (*get_event_component)(int) = nullptr;
    int (*create_eventset)(int *) = nullptr;
    int (*add_event)(int, int) = nullptr;
    int (*start)(int) = nullptr;
    int (*read)(int, long long *) = nullptr;
    int (*stop)(int, long long *) = nullptr;
    int (*cleanup_eventset)(int) = nullptr;
    int (*destroy_eventset)(int *) = nullptr;
    char *(*strerror)(int) = nullptr;
    int version = 0; // major << 24 | minor << 16

    // Opens the library (`path`, or the well-known names) and initialises it.
    [[nodiscard]] Availability open(const std::string &path);
    [[nodiscard]] std::string failure(const char *call, int error) const;
    [[nodiscard]] std::string version_text() const;
    // Whether PAPI refuses even its most common event because it does not know the processor.
    [[nodiscard]] bool processor_disabled() const;
    // Stops and forgets an event set, whatever its state.
    void discard(int *event_set) const noexcept;

private:
    [[nodiscard]] bool find_all();
};

// The remedy for a PAPI error; empty: none.
[[nodiscard]] std::string papi_remedy(int error, const std::string &procfs_root);

} // namespace cpl_lb
