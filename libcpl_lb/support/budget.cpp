// Reads the processor time of the thread. Other threads of a model may be at work: their time does not count.
#include "support/budget.hpp"

#include <ctime>
#include <utility>

namespace cpl_lb {
namespace {

double thread_s() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

} // namespace

Budget::Budget(double seconds, std::string why_not) : until_s_(thread_s() + seconds), why_not_(std::move(why_not)) {}

bool Budget::used_up() const {
    return until_s_ < std::numeric_limits<double>::infinity() && thread_s() >= until_s_;
}

} // namespace cpl_lb
