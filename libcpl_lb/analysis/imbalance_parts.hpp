// Explains the imbalance of a component from the arrivals of its processes (docs/definitions.md, section 2).
//
// All processes call explain_imbalance() together. Each looks at its own arrivals (own_arrivals.hpp), and a Crowd
// brings what they find to the leader and the leader's conclusions back: by messages in a run, by nothing in a
// program that has the rows of all.
#pragma once

#include "analysis/chosen_exchanges.hpp"
#include "analysis/own_arrivals.hpp"
#include "data/imbalance.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace cpl_lb {

// What the leader sends to the others after the looks.
struct UsualArrivals {
    std::vector<double> mean;          // over the processes, of each exchange
    std::vector<std::uint8_t> stalled; // of each exchange
};
struct SharedModel {
    bool has_means = false;
    std::vector<double> node_means; // by node, then by group; empty: nodes do not differ
};

// The processes of a component.
class Crowd {
public:
    virtual ~Crowd() = default;
    [[nodiscard]] virtual bool leads() const { return true; }
    // Combine over all processes, element by element. Only the leader's result counts.
    virtual void unite(std::span<ArrivalSum>) {}
    virtual void unite(std::span<ArrivalSpread>) {}
    // Replaces the records of the processes here by those of all processes, in their order, on the leader.
    virtual void gather(std::vector<float> &) {}
    // Sends the leader's value to all.
    virtual void share(UsualArrivals &) {}
    virtual void share(SharedModel &) {}
};

// Where the processes are, and when. `nodes` is the same on all processes; only the leader needs the steps.
struct ArrivalInput {
    std::span<const std::int32_t> nodes; // of each process of the component, numbered from 0; empty: not known
    std::int64_t first_here = 0;         // the place of the first process of `here`
    std::span<const Nanoseconds> steps;  // Window::steps
};

// here: the processes of this program, in their order; processes: the number of all. Only the leader's parts count.
[[nodiscard]] ImbalanceParts explain_imbalance(Crowd &crowd, const ChosenExchanges &chosen,
                                               std::span<OwnArrivals> here, std::size_t processes,
                                               const ArrivalInput &input);

// The same for a program that has the rows of all processes. Rows do not tell the nodes.
class ArrivalsOfAll {
public:
    ArrivalsOfAll(const EventTable &events, const Window &window, std::size_t processes)
        : ArrivalsOfAll(events, window, processes, most_chosen(processes)) {}
    ArrivalsOfAll(const EventTable &events, const Window &window, std::size_t processes, std::size_t most);
    // Several threads may set different processes at once.
    void set(std::size_t process, const Row &row);
    [[nodiscard]] ImbalanceParts parts(std::span<const std::int32_t> nodes = {}) const;
    [[nodiscard]] const ChosenExchanges &chosen() const { return chosen_; }

private:
    ChosenExchanges chosen_;
    std::vector<Nanoseconds> steps_;
    std::vector<std::vector<Nanoseconds>> starts_; // by process, of the chosen exchanges
};

} // namespace cpl_lb
