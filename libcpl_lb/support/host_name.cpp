// Asks the system; a name that it would cut is cut.
#include "support/host_name.hpp"

#include <array>
#include <unistd.h>

namespace cpl_lb {

std::string host_name() {
    std::array<char, 256> text{};
    gethostname(text.data(), text.size() - 1);
    return text.data();
}

} // namespace cpl_lb
