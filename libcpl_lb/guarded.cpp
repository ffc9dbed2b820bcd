#include "guarded.hpp"

#include "messages.hpp"

#include <fmt/format.h>
#include <mutex>
#include <set>
#include <string>

namespace cpl_lb {
namespace {

// A mistake inside a time loop must not fill the log.
bool first_time(const std::string &line) {
    static std::mutex mutex;
    static std::set<std::string> told;
    const std::lock_guard lock(mutex);
    return told.insert(line).second;
}

} // namespace

int refuse(const char *call, int code, const char *why) noexcept {
    try {
        const std::string line = fmt::format("{}: {}", call, why);
        if (first_time(line)) tell(line);
    } catch (...) { // no memory for the message; the code says enough
        return code;
    }
    return code;
}

} // namespace cpl_lb
