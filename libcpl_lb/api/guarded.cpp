// Tells each mistake of the model once, in one line.
#include "api/guarded.hpp"

#include "api/process.hpp"
#include "support/fmt.hpp"
#include "support/messages.hpp"

#include <mutex>
#include <set>
#include <string>

namespace cpl_lb {
namespace {

// A mistake inside a time loop must not fill the log. Never destroyed: a model may still call while it exits.
bool first_time(const std::string &line) {
    static std::mutex mutex;
    static auto *const told = new std::set<std::string>;
    const std::lock_guard lock(mutex);
    return told->insert(line).second;
}

} // namespace

int refuse(const char *call, int code, const char *why) noexcept {
    if (in_forked_child()) return code;
    try {
        const std::string line = fmt::format("{}: {}", call, why);
        if (first_time(line)) tell(line);
    } catch (...) { // no memory for the message; the code says enough
        return code;
    }
    return code;
}

} // namespace cpl_lb
