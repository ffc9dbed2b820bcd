// Writes each line with one system call.
#include "support/messages.hpp"

#include "support/standard_streams.hpp"

#include <algorithm>
#include <string>
#include <unistd.h>

namespace cpl_lb {

void tell(std::string_view line) noexcept {
    try {
        std::string text = "cpl_lb: ";
        text += line.substr(0, 2000);
        std::replace(text.begin(), text.end(), '\n', ' ');
        text += '\n';
        write_to_stream(STDERR_FILENO, text);
    } catch (...) { // no memory for the message: nothing to do about it
        return;
    }
}

} // namespace cpl_lb
