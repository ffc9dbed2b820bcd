// Makes of the recorder a library that records everything by MPI beside a program's own recording, in the same run,
// with a copy of libcpl_lb of its own: so that the tests can compare the two. around.c tells it where the other one
// works.
#include "profiling/hooks.hpp"
#include "profiling/session.hpp"

#include <optional>

namespace {

std::optional<cpl_lb::profiling::Call> other_works;

} // namespace

extern "C" void beside_pause() {
    other_works.emplace(CPL_LB_MPI_POINT_TO_POINT);
}
extern "C" void beside_resume() {
    other_works.reset();
}

namespace cpl_lb::profiling {

OwnCalls own_calls() {
    return OwnCalls::none;
}

} // namespace cpl_lb::profiling
