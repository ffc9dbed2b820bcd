// Splits the list of counters at its commas, and asks libpfm4 how an event is coded for perf_event_open.
#include "meters/event_names.hpp"

#include "support/fmt.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstring>

#if __has_include(<linux/perf_event.h>)
#include <linux/perf_event.h>
#define CPL_LB_HAS_PERF_EVENT 1
#else
#define CPL_LB_HAS_PERF_EVENT 0
#endif

namespace cpl_lb {

std::vector<std::string> split_event_names(std::string_view list) {
    std::vector<std::string> names;
    while (!list.empty()) {
        const auto comma = std::min(list.find(','), list.size());
        std::string_view name = list.substr(0, comma);
        list.remove_prefix(std::min(comma + 1, list.size()));
        const auto first = name.find_first_not_of(" \t");
        if (first == std::string_view::npos) continue;
        name = name.substr(first, name.find_last_not_of(" \t") - first + 1);
        if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
    }
    return names;
}

Availability availability_of(std::span<const Quantity> quantities, const std::string &remedy) {
    Availability answer{false, {}, remedy};
    for (const Quantity &quantity : quantities) {
        answer.works = answer.works || quantity.why_missing.empty();
        if (quantity.why_missing.empty()) continue;
        if (!answer.reason.empty()) answer.reason += "; ";
        answer.reason += quantity.name + ": " + quantity.why_missing;
    }
    return answer;
}

bool happens_in_kernel(std::string_view event_name) {
    constexpr std::array<std::string_view, 4> words = {"CONTEXT-SWITCHES", "CONTEXT_SWITCHES", "CPU-MIGRATIONS",
                                                       "CPU_MIGRATIONS"};
    std::string capitals(event_name);
    std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return capitals.find(word) != std::string::npos; });
}

namespace {

// libpfm4's binary interface, so that its headers are not needed to build: every structure carries its own size.
constexpr int pfm_success = 0;
constexpr int pfm_os_none = 0, pfm_os_perf_event = 1;
constexpr int pfm_user_and_kernel = 0x08 | 0x01;

struct PfmPerfEncodeArgument {
    void *attr = nullptr;
    char **full_name = nullptr;
    std::size_t size = sizeof(PfmPerfEncodeArgument);
    int index = 0, cpu = 0, flags = 0, padding = 0;
};

struct PfmEventInfo {
    const char *name = nullptr, *description = nullptr, *equivalent = nullptr;
    std::size_t size = sizeof(PfmEventInfo);
    std::uint64_t code = 0;
    int pmu = 0, data_type = 0, index = 0, attributes = 0, reserved = 0;
    unsigned flags = 0;
};

} // namespace

Availability Pfm::open(const std::string &path) {
    constexpr std::array<std::string_view, 2> names = {"libpfm.so.4", "libpfm.so"};
    if (!library_.open(library_names(path, names))) {
        return Availability::missing("libpfm4 is not found (" + library_.error() + ")",
                                     "install libpfm4 and add it to LD_LIBRARY_PATH");
    }
    if (!library_.find("pfm_initialize", &initialize_) || !library_.find("pfm_strerror", &strerror_) ||
        !library_.find("pfm_find_event", &find_event_) || !library_.find("pfm_get_event_info", &get_event_info_) ||
        !library_.find("pfm_get_os_event_encoding", &get_os_event_encoding_)) {
        return Availability::missing(fmt::format("{} has no {}", library_.name(), library_.missing()),
                                     "libpfm4 4.0 or later");
    }
    if (const int error = initialize_(); error != pfm_success) {
        return Availability::missing(fmt::format("pfm_initialize: {}", strerror_(error)));
    }
    return Availability::good();
}

std::optional<PerfEventRequest> Pfm::encode(const std::string &event_name, std::string *why) const {
#if CPL_LB_HAS_PERF_EVENT
    perf_event_attr attr = {};
    attr.size = sizeof attr;
    PfmPerfEncodeArgument argument;
    argument.attr = &attr;
    const int error = get_os_event_encoding_(event_name.c_str(), pfm_user_and_kernel, pfm_os_perf_event, &argument);
    if (error == pfm_success) {
        return PerfEventRequest{.type = attr.type,
                                .config = attr.config,
                                .config1 = attr.config1,
                                .config2 = attr.config2,
                                .exclude_kernel = attr.exclude_kernel != 0,
                                .exclude_user = attr.exclude_user != 0};
    }
    *why = fmt::format("libpfm4: {}", strerror_(error));
#else
    static_cast<void>(event_name);
    *why = "this system has no perf events";
#endif
    return std::nullopt;
}

std::string Pfm::explain(const std::string &event_name) const {
    const int index = find_event_(event_name.c_str());
    PfmEventInfo info;
    if (index < 0 || get_event_info_(index, pfm_os_none, &info) != pfm_success || info.description == nullptr)
        return {};
    return info.description;
}

} // namespace cpl_lb
