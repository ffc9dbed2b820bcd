// Properties of the readers of what a group writes itself, for any bytes: templates (cpl-lb balance --template), and
// the words and files of --allowed. Each gives what it read, or refuses in words of at most 2,000 bytes; no crash, no
// hang. A template whose braces are doubled comes back as it was, byte for byte.
#include "tests/fuzz/file_in_memory.hpp"
#include "tools/balance/allowed_rules.hpp"
#include "tools/launch/launch_form.hpp"

#include <cstdint>

using namespace cpl_lb;
using fuzz::require;

namespace {

LaunchPlan plan() {
    return {{{"ocean", 64}, {"ocean.2", 3}, {"atm}", 1}, {"", 2}}, cores_of_their_own(4), "", 4};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string text(reinterpret_cast<const char *>(data), size);
    fuzz::words_or_nothing([&] { static_cast<void>(filled_template(text, "f", plan())); });
    std::string doubled;
    for (const char c : text) {
        doubled += c;
        if (c == '{' || c == '}') doubled += c;
    }
    const bool of_the_shell = doubled.find("${") != std::string::npos;
    if (!of_the_shell) require(filled_template(doubled, "f", plan()) == text);
    // Counts that a component may have, as a word and as a file.
    fuzz::words_or_nothing([&] { static_cast<void>(allowed_rules("ocean=" + text, {"ocean"})); });
    static const fuzz::FileInMemory file("counts");
    const std::string path = file.with(text);
    fuzz::words_or_nothing([&] { static_cast<void>(allowed_rules("ocean=@" + path, {"ocean"})); });
    return 0;
}
