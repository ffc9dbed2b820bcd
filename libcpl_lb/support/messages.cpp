// Writes each line with one system call.
#include "support/messages.hpp"

#include "support/standard_streams.hpp"
#include "support/utf8.hpp"

#include <algorithm>
#include <string>
#include <unistd.h>

namespace cpl_lb {

void tell(std::string_view line) noexcept {
    try {
        std::string text = "cpl_lb: " + safe_text(first_bytes(line, 2000));
        std::replace(text.begin(), text.end(), '\n', ' ');
        text += '\n';
        write_to_stream(STDERR_FILENO, text);
    } catch (...) { // no memory for the message: nothing to do about it
        return;
    }
}

} // namespace cpl_lb
