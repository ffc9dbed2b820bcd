// Many jobs of which most processes sleep, some at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace scenario {

// For the environment of a job beside others. OpenMPI's session folders are then the job's own: a job that ends
// removes those that it shares, while another makes them.
inline std::string own_sessions() {
    static std::atomic<int> jobs_so_far = 0;
    return "OMPI_MCA_orte_tmpdir_base=\"$OMPI_MCA_orte_tmpdir_base/" + std::to_string(++jobs_so_far) + "\" ";
}

// try_it(0) to try_it(trials - 1), `at_once` of them at a time: the words of those that gave some for what went
// wrong. Gives up after a few: each may take a minute.
inline std::vector<std::string> side_by_side(std::size_t trials, int at_once,
                                             const std::function<std::string(std::size_t)> &try_it) {
    constexpr std::size_t enough_wrong = 3;
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> wrong_ones = 0;
    std::mutex mutex;
    std::vector<std::string> wrong;
    const auto try_some = [&] {
        for (std::size_t at = next++; at < trials && enough_wrong > wrong_ones; at = next++) {
            const std::string words = try_it(at);
            const std::lock_guard<std::mutex> lock(mutex);
            if (!words.empty()) wrong.push_back(words);
            wrong_ones = wrong.size();
        }
    };
    std::vector<std::thread> hands;
    hands.reserve(static_cast<std::size_t>(at_once));
    for (int i = 0; i < at_once; ++i)
        hands.emplace_back(try_some);
    for (std::thread &hand : hands)
        hand.join();
    return wrong;
}

} // namespace scenario
