#include "messages.hpp"

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
        // A closed or full standard error is no reason to trouble the model.
        if (write(STDERR_FILENO, text.data(), text.size()) < 0) return;
    } catch (...) { // no memory for the message: nothing to do about it
        return;
    }
}

} // namespace cpl_lb
