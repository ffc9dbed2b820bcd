// The facts that all processes that came share after the first steps of cpl_lb_terminate.
#pragma once

#include "events/catalogue.hpp"
#include "run/live/steps/one_clock.hpp"
#include "run/live/steps/output_folder.hpp"

#include <vector>

namespace cpl_lb {

struct Agreed {
    NumberList present; // ascending ranks; the first is the root
    RunClock clock;
    OutputFolder folder;
    Catalogue catalogue;
};

} // namespace cpl_lb
