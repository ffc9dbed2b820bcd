// Compiled alone, so that its text stands in the library as it is: a test makes a library of another version of it.
#include "io/settings/settings_codec.hpp"

#include <cpl_lb/version.h>

namespace cpl_lb {

const char *settings_header() {
    return "settings of cpl_lb " CPL_LB_VERSION "\n";
}

} // namespace cpl_lb
