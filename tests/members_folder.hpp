// Timelines of an ensemble: so many members of three components, atmosphere_001, ocean_001, ice_001, ... In each step
// of 1.3 s a process computes 1 s, of member `slow` 1.1 s, and a little more by its number; then it waits for the
// assimilation, which nobody recorded, until 1.2 s are over, and sends within its member.
#pragma once

#include "io/files/result_file.hpp"
#include "io/timeline/timeline_writer.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace cpl_lb::test {

struct Ensemble {
    std::int64_t members = 60, processes = 4, events = 40; // of each component
    std::int64_t slow = 7;                                 // member, from 1; 0: none
};
inline constexpr std::array<const char *, 3> ensemble_models = {"atmosphere", "ocean", "ice"};

inline std::string ensemble_name(std::size_t model, std::int64_t member) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%s_%03d", ensemble_models[model], static_cast<int>(member));
    return text.data();
}

// The n-th component, from 0; models of one member follow each other. Returns the file's path.
inline std::string write_member(const std::string &folder, const Ensemble &e, std::int64_t n,
                                const std::vector<std::string> &names) {
    constexpr Nanoseconds ms = 1'000'000, step = 1300 * ms;
    const std::int64_t member = n / 3 + 1;
    const auto model = static_cast<std::size_t>(n % 3);
    TimelineHeader header;
    header.component_name = names[static_cast<std::size_t>(n)];
    header.component_id = static_cast<std::int32_t>(n + 1);
    header.component_names = names;
    header.field_names = {"state", "flux"};
    header.run_id = "ensemble";
    header.simulated_s = 86'400;
    header.first_init = 0;
    header.last_terminate = (e.events / 2 + 1) * step;
    header.processes = e.processes;
    for (std::int64_t p = 0; p < e.processes; ++p)
        header.ranks.push_back(static_cast<std::int32_t>(n * e.processes + p));
    const auto hub = static_cast<std::int32_t>(names.size());
    const auto next = static_cast<std::int32_t>(3 * (member - 1) + (n + 1) % 3 + 1);
    for (std::int64_t k = 0; k < e.events; ++k) {
        if (k % 2 == 0)
            header.keys.push_back({Kind::get, 1, hub, no_date, k / 2});
        else
            header.keys.push_back({Kind::put, 2, next, no_date, k / 2});
    }
    std::string path = path_in(folder, timeline_file_name(header.component_name));
    TimelineWriter writer(path, header, false);
    std::vector<Nanoseconds> start(static_cast<std::size_t>(e.events)), stop(start.size());
    for (std::int64_t p = 0; p < e.processes; ++p) {
        for (std::int64_t k = 0; k < e.events; ++k) {
            const auto i = static_cast<std::size_t>(k);
            const Nanoseconds begin = k / 2 * step + (p * 13 + static_cast<Nanoseconds>(model)) * 1000;
            start[i] = begin + (k % 2 == 0 ? (member == e.slow ? 1100 : 1000) * ms : 1210 * ms);
            stop[i] = begin + (k % 2 == 0 ? 1200 : 1220) * ms;
        }
        writer.write_rows(p, 1, start, stop);
    }
    writer.close();
    return path;
}

// The files' paths.
inline std::vector<std::string> write_ensemble(const std::string &folder, const Ensemble &e) {
    std::vector<std::string> names, paths;
    for (std::int64_t n = 0; n < 3 * e.members; ++n)
        names.push_back(ensemble_name(static_cast<std::size_t>(n % 3), n / 3 + 1));
    names.emplace_back("assimilation");
    for (std::int64_t n = 0; n < 3 * e.members; ++n)
        paths.push_back(write_member(folder, e, n, names));
    return paths;
}

} // namespace cpl_lb::test
