// The processor time that an analysis may take: at the end of a model's run it must not cost more than a moment. Long
// work asks from time to time whether it may go on.
#pragma once

#include <ctime>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace cpl_lb {

// what() says what ended the analysis, and how to get its figures in spite of that.
struct BudgetUsedUp : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Budget {
public:
    Budget() = default; // without a bound
    // So many seconds of this thread from now on; 0 leaves no time. `why_not`: the message of BudgetUsedUp.
    Budget(double seconds, std::string why_not) : until_s_(thread_s() + seconds), why_not_(std::move(why_not)) {}

    // The same budget with another message.
    [[nodiscard]] Budget saying(std::string why_not) const {
        Budget other = *this;
        other.why_not_ = std::move(why_not);
        return other;
    }
    [[nodiscard]] bool used_up() const {
        return until_s_ < std::numeric_limits<double>::infinity() && thread_s() >= until_s_;
    }
    [[nodiscard]] const std::string &why_not() const { return why_not_; }
    void check() const {
        if (used_up()) throw BudgetUsedUp(why_not_);
    }

private:
    // Other threads of a model may be at work: their processor time does not count.
    [[nodiscard]] static double thread_s() {
        timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    }

    double until_s_ = std::numeric_limits<double>::infinity(); // on the thread's clock
    std::string why_not_;
};

} // namespace cpl_lb
