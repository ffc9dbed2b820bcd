// Other cores for the components of a program, tried by replaying it.
#include "tests/programs/splits.hpp"

#include <algorithm>
#include <cstdint>

namespace cpl_lb::programs {
namespace {

std::int64_t end_of_set_up(const Truth &replay) {
    const std::vector<Call> &calls = replay.calls.front();
    const auto together = std::find_if(calls.begin(), calls.end(),
                                       [](const Call &c) { return c.what == Action::What::meet && c.component < 0; });
    return together == calls.end() ? 0 : together->end;
}

class Search {
public:
    Search(const Program &program, const std::vector<bool> &keeps) : program_(program) {
        for (std::size_t c = 0; c < keeps.size(); ++c)
            if (!keeps[c]) moving_.push_back(c);
    }

    double least() {
        const Split present = present_split(program_);
        Split at = as_they_compute(present);
        double seconds = seconds_of_loop(program_, at);
        for (const int cores : {4, 1})
            climb(cores, at, seconds);
        return std::min(seconds, seconds_of_loop(program_, present));
    }

private:
    // The cores that move, divided as the components compute now.
    [[nodiscard]] Split as_they_compute(const Split &present) const {
        const Truth now = replay(program_);
        double work = 0;
        int total = 0;
        for (const std::size_t c : moving_) {
            work += now.computing_s[c] * present[c];
            total += present[c];
        }
        Split split = present;
        int left = total;
        for (const std::size_t c : moving_)
            left -= split[c] = std::max(1, static_cast<int>(now.computing_s[c] * present[c] / work * total));
        const auto fewer = [&](std::size_t a, std::size_t b) { return split[a] < split[b]; };
        for (; left < 0; ++left)
            --split[*std::max_element(moving_.begin(), moving_.end(), fewer)];
        for (; left > 0 && !moving_.empty(); --left)
            ++split[*std::min_element(moving_.begin(), moving_.end(), fewer)];
        return split;
    }

    // Moves so many cores from one component to another while that is faster.
    void climb(int cores, Split &at, double &seconds) const {
        for (bool any = true; any;) {
            any = false;
            const Split from = at;
            for (const std::size_t a : moving_) {
                for (const std::size_t b : moving_) {
                    if (a == b || from[a] <= cores) continue;
                    Split moved = from;
                    moved[a] -= cores;
                    moved[b] += cores;
                    const double s = seconds_of_loop(program_, moved);
                    if (s >= seconds * (1 - 1e-9)) continue;
                    seconds = s;
                    at = moved;
                    any = true;
                }
            }
        }
    }

    const Program &program_;
    std::vector<std::size_t> moving_;
};

} // namespace

Split present_split(const Program &program) {
    Split split;
    for (std::size_t c = 0; c < program.components.size(); ++c)
        split.push_back(program.size(static_cast<int>(c)));
    return split;
}

double seconds_of_loop(const Program &program, const Split &cores) {
    std::vector<double> factors;
    for (std::size_t c = 0; c < cores.size(); ++c)
        factors.push_back(static_cast<double>(program.size(static_cast<int>(c))) / cores[c]);
    const Truth r = replay(program, factors);
    return 1e-9 * static_cast<double>(r.end - end_of_set_up(r));
}

double least_seconds_of_loop(const Program &program, const std::vector<bool> &keeps) {
    return Search(program, keeps).least();
}

} // namespace cpl_lb::programs
