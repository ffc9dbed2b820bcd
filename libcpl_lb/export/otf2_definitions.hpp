// What an OTF2 archive says about the run besides its events: clock, regions, the tree of the system, communicators.
#pragma once

#include "data/coupled_run.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <otf2/otf2.h>
#include <string>
#include <vector>

namespace cpl_lb {

// A region is what a process can be in: computing in its component, or an event of this kind, field and counterpart.
struct Otf2What {
    bool root = false;
    Kind kind = Kind::undf;
    std::int32_t field = 0;       // 0: none
    std::int32_t counterpart = 0; // of the root: the component itself
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of the default for a pointer
    friend auto operator<=>(const Otf2What &, const Otf2What &) = default;
};

struct Otf2Location {
    const Component *component = nullptr;
    std::int64_t process = 0;
    std::uint64_t events = 0;
};

// Throws FileError, with `path` as the file, if the code tells an error.
void check_otf2(OTF2_ErrorCode code, const std::string &path);

constexpr OTF2_CommRef otf2_comm_of_run = 0; // its ranks are the locations

// Throws FileError, too.
void write_otf2_definitions(OTF2_Archive *archive, const std::string &path, const CoupledRun &run,
                            const std::map<Otf2What, OTF2_RegionRef> &regions,
                            const std::vector<Otf2Location> &locations, OTF2_TimeStamp last_time);

} // namespace cpl_lb
