// Whose process is whose in MCT's world: the components (MCT has numbers) of each process, and their names. Part of
// cpl_lb_mct.cpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

extern "C" {
// From cpl_lb_mct.f90, which is compiled against the user's modules.
void cpl_lb_mct_world(int *components, int *rank);
int cpl_lb_mct_processes(int id, int *ranks, int size);
}

namespace cpl_lb::adapter {

// MCT has numbers where others have names. CPL_LB_MCT_NAMES="1=atmosphere,2=coupler" gives them names.
inline std::string component_name(int id) {
    const char *given = std::getenv("CPL_LB_MCT_NAMES");
    const std::string key = std::to_string(id) + "=";
    for (const char *at = given; at != nullptr && *at != '\0';) {
        const char *end = std::strchr(at, ',');
        const std::string pair = end != nullptr ? std::string(at, end) : std::string(at);
        if (pair.rfind(key, 0) == 0) return pair.substr(key.size());
        at = end != nullptr ? end + 1 : nullptr;
    }
    return "mct_" + std::to_string(id);
}

// Components that run one after another on the same processes are one to us, unless the model calls
// cpl_lb_component_begin: MCT does not say whose turn it is.
inline std::string name_of_all(const std::vector<int> &ids) {
    std::string name;
    for (const int id : ids)
        name += (name.empty() ? "" : "+") + component_name(id);
    return name.empty() ? "mct" : name;
}

class World {
public:
    World() {
        int components = 0;
        cpl_lb_mct_world(&components, &rank_);
        ranks_.resize(static_cast<std::size_t>(std::max(components, 0)) + 1); // numbers begin with 1
        less_.resize(ranks_.size() * ranks_.size());
        for (int id = 1; id <= components; ++id) {
            std::vector<int> &ranks = ranks_[static_cast<std::size_t>(id)];
            ranks.resize(static_cast<std::size_t>(std::max(0, cpl_lb_mct_processes(id, nullptr, 0))));
            cpl_lb_mct_processes(id, ranks.data(), static_cast<int>(ranks.size()));
            std::sort(ranks.begin(), ranks.end());
        }
    }

    [[nodiscard]] int rank() const { return rank_; }

    // All components of a process.
    [[nodiscard]] std::vector<int> of(int rank) const {
        std::vector<int> ids;
        for (std::size_t id = 1; id < ranks_.size(); ++id)
            if (std::binary_search(ranks_[id].begin(), ranks_[id].end(), rank)) ids.push_back(static_cast<int>(id));
        return ids;
    }

    // A process of CESM or E3SM has a number for each component and for each set of components that exchange
    // something. A set that contains one of its other sets says less than that: the smallest stay, of equal ones the
    // first.
    [[nodiscard]] std::vector<int> smallest_of(int rank) {
        const std::vector<int> ids = of(rank);
        std::vector<int> smallest;
        for (const int id : ids)
            if (std::none_of(ids.begin(), ids.end(), [&](int other) { return says_less(id, other); }))
                smallest.push_back(id);
        return smallest;
    }

private:
    [[nodiscard]] bool contains(int whole, int part) const {
        const std::vector<int> &w = ranks_[static_cast<std::size_t>(whole)];
        const std::vector<int> &p = ranks_[static_cast<std::size_t>(part)];
        return p.size() <= w.size() && std::includes(w.begin(), w.end(), p.begin(), p.end());
    }
    // Worked out once for each pair: a process has thousands of peers, and they have the same components.
    [[nodiscard]] bool says_less(int id, int other) {
        std::optional<bool> &less =
            less_[static_cast<std::size_t>(id) * ranks_.size() + static_cast<std::size_t>(other)];
        if (!less) less = other != id && contains(id, other) && (other < id || !contains(other, id));
        return *less;
    }

    int rank_ = 0;
    std::vector<std::vector<int>> ranks_;   // by component, sorted
    std::vector<std::optional<bool>> less_; // by pair of components
};

} // namespace cpl_lb::adapter
