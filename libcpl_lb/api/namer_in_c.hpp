// The recorder's namer of components lies in another library, maybe of another C++: only C crosses between them.
#pragma once

#include "cpl_lb/cpl_lb_inside.h"
#include "run/live/recording.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

[[nodiscard]] inline Recording::Namer namer_in_c(cpl_lb_namer namer) {
    return [namer](const std::vector<std::string> &said, const std::vector<int> &ranks, const std::string &ranges,
                   std::size_t me) {
        std::vector<const char *> pointers;
        pointers.reserve(said.size());
        for (const std::string &text : said)
            pointers.push_back(text.c_str());
        const cpl_lb_processes all{static_cast<int>(ranks.size()), ranks.data(), pointers.data(), ranges.c_str()};
        return std::string(namer(&all, static_cast<int>(me)));
    };
}

} // namespace cpl_lb
