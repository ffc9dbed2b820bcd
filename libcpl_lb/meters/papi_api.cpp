// Opens the PAPI library, finds a version that it accepts, and takes its functions.
#include "meters/papi_api.hpp"

#include "meters/perf_event_file.hpp"
#include "support/fmt.hpp"

#include <array>
#include <cerrno>

namespace cpl_lb {
namespace {

// PAPI_library_init takes the version its caller was built for and refuses any other; this caller was built for none,
// so it asks for one after the other. A refusal changes nothing in PAPI.
constexpr int newest_major = 8, oldest_major = 5, newest_minor = 9;

constexpr int version_number(int major, int minor) {
    return major << 24 | minor << 16;
}

} // namespace

bool PapiApi::find_all() {
    return library.find("PAPI_library_init", &library_init) &&
           library.find("PAPI_event_name_to_code", &event_name_to_code) &&
           library.find("PAPI_get_event_component", &get_event_component) &&
           library.find("PAPI_create_eventset", &create_eventset) && library.find("PAPI_add_event", &add_event) &&
           library.find("PAPI_start", &start) && library.find("PAPI_read", &read) &&
           library.find("PAPI_stop", &stop) && library.find("PAPI_cleanup_eventset", &cleanup_eventset) &&
           library.find("PAPI_destroy_eventset", &destroy_eventset) && library.find("PAPI_strerror", &strerror);
}

Availability PapiApi::open(const std::string &path) {
    constexpr std::array<std::string_view, 9> names = {"libpapi.so.7",   "libpapi.so.7.2", "libpapi.so.7.1",
                                                       "libpapi.so.7.0", "libpapi.so.6",   "libpapi.so.6.0",
                                                       "libpapi.so.5",   "libpapi.so.5.7", "libpapi.so"};
    if (!library.open(library_names(path, names))) {
        return Availability::missing("PAPI is not found (" + library.error() + ")",
                                     "load the module of PAPI, or install it and add it to LD_LIBRARY_PATH");
    }
    if (!find_all()) {
        return Availability::missing(fmt::format("{} has no {}", library.name(), library.missing()),
                                     "PAPI 5.5 or later");
    }
    int answer = 0;
    for (int major = newest_major; major >= oldest_major; --major) {
        for (int minor = 0; minor <= newest_minor; ++minor) {
            version = version_number(major, minor);
            answer = library_init(version);
            if (answer == version) return Availability::good();
        }
    }
    version = 0;
    return Availability::missing(failure("PAPI_library_init", answer),
                                 "PAPI 5 to 8 is needed, and the model must not initialise it before cpl_lb does");
}

std::string PapiApi::failure(const char *call, int error) const {
    const char *words = strerror != nullptr ? strerror(error) : nullptr;
    return fmt::format("{}: {}", call, words != nullptr ? words : fmt::format("error {}", error).c_str());
}

std::string PapiApi::version_text() const {
    return fmt::format("{}.{}", version >> 24, version >> 16 & 0xff);
}

bool PapiApi::processor_disabled() const {
    int code = 0, event_set = papi_null;
    if (event_name_to_code("PAPI_TOT_CYC", &code) != papi_ok || create_eventset(&event_set) != papi_ok) return false;
    const int error = add_event(event_set, code);
    discard(&event_set);
    return static_cast<PapiError>(error) == PapiError::component_disabled;
}

void PapiApi::discard(int *event_set) const noexcept {
    if (*event_set == papi_null) return;
    static_cast<void>(stop(*event_set, nullptr));
    static_cast<void>(cleanup_eventset(*event_set));
    static_cast<void>(destroy_eventset(event_set));
    *event_set = papi_null;
}

std::string papi_remedy(int error, const std::string &procfs_root) {
    switch (static_cast<PapiError>(error)) {
    case PapiError::permission:
    case PapiError::system:
        return perf_failure_remedy(EACCES, procfs_root, 2);
    case PapiError::conflict:
    case PapiError::too_many:
    case PapiError::many_passes:
        return "name fewer events in one run: the processor counts only a few at a time. Counting them in turn "
               "(multiplexing) would give only estimates, so cpl_lb does not do it";
    case PapiError::component_disabled:
    case PapiError::no_counters:
        return "PAPI finds no counters: this is a virtual machine without PMU, or a processor newer than this PAPI, "
               "or counting is forbidden; then " +
               perf_failure_remedy(EACCES, procfs_root, 2);
    case PapiError::no_event:
        return "`cpl-lb counters` lists the events that work here";
    default:
        return {};
    }
}

} // namespace cpl_lb
