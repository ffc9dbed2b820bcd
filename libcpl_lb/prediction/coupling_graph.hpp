// Who waits for whom in an interval of a coupled run, as plain data, and how long that interval takes if components
// compute faster or slower (Kim, Larson and Chiu, "Automatic Performance Prediction for Load-Balancing Coupled
// Models", equations 1 to 9, for any number of partners at a point).
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace cpl_lb {

// Thrown if the graph or the numbers do not answer the question. what() is one line for the user.
struct PredictionError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A synchronisation point by its component and its place there, both from 0.
struct PointPlace {
    std::size_t component = 0;
    std::size_t point = 0;
    friend bool operator==(const PointPlace &, const PointPlace &) = default;
};

// A component arrives after `computing_s`, and leaves when all points that it waits for have been reached. In a
// synchronous transfer both sides wait. A buffered PUT waits for none. A hub waits for all partners of a point.
struct SyncPoint {
    double computing_s = 0; // since the point before [s]
    std::vector<PointPlace> waits_for;
};

struct Constituent {
    std::string name;
    std::vector<SyncPoint> points;
    double last_s = 0; // computing after the last point [s]
    // Its end in the whole run. If several components compute up to the end of the stretch, the one with the longest
    // way from there decides.
    double whole_end_s = 0;
    bool decides_end = true; // false: the others do not wait for its end (an I/O server writes on by itself)

    [[nodiscard]] double computing_s() const; // tau^comp
};

// The time at which each point is left, with certain factors.
struct Schedule {
    double length_s = 0;         // xi(tau_G): the largest end of those that decide it
    std::vector<double> leave_s; // by flat place, see CouplingGraph::flat
};

// Each component's part of the chain of computing that decides the length: shortening anything else changes nothing.
struct CriticalPath {
    std::vector<double> seconds; // by component; they sum to the length
    std::size_t hops = 0;        // how often the path goes from one component to another
};

class CouplingGraph {
public:
    // Throws PredictionError if points wait for each other in a ring or for a point that is not there.
    explicit CouplingGraph(const std::vector<Constituent> &constituents);

    [[nodiscard]] std::size_t components() const { return names_.size(); }
    [[nodiscard]] const std::vector<std::string> &names() const { return names_; }
    [[nodiscard]] const std::vector<double> &computing_s() const { return computing_; } // tau^comp by component
    [[nodiscard]] std::size_t points() const { return order_.size(); }
    [[nodiscard]] std::size_t flat(PointPlace place) const { return first_[place.component] + place.point; }

    // Solves equations 8 and 9 with tau_i^comp multiplied by factors[i].
    [[nodiscard]] Schedule schedule(const std::vector<double> &factors) const;
    [[nodiscard]] double length_s(const std::vector<double> &factors) const { return schedule(factors).length_s; }
    // Ends that differ by less than `same` of the length count as equal, because the model leaves out the time of the
    // transfers themselves. places: receives the flat places at which the path arrives, the latest first.
    static constexpr double same_end = 0.005;
    [[nodiscard]] CriticalPath critical_path(const Schedule &schedule, const std::vector<double> &factors,
                                             std::vector<std::size_t> *places = nullptr,
                                             double same = same_end) const;
    // The same for one place: the chain that decides when it is left.
    [[nodiscard]] CriticalPath path_to(std::size_t at, const Schedule &schedule, const std::vector<double> &factors,
                                       std::vector<std::size_t> *places = nullptr) const;
    // The factors that give these computing times; a component that computes nothing keeps 1.
    [[nodiscard]] std::vector<double> factors_of(const std::vector<double> &computing_s) const;
    // d length / d computing time of each component: its share of the longest path.
    [[nodiscard]] std::vector<double> path_shares(const std::vector<double> &computing_s) const;
    // Both functions take a flat place.
    [[nodiscard]] std::size_t component_of(std::size_t at) const { return owner_[at]; }
    [[nodiscard]] double computing_before(std::size_t at) const { return seconds_[at]; } // since the place before
    [[nodiscard]] bool is_first(std::size_t at) const { return at == first_[owner_[at]]; }

private:
    [[nodiscard]] std::size_t last_end(const Schedule &schedule, double same) const;
    void settle_order(const std::vector<Constituent> &constituents);
    [[nodiscard]] double arrival(std::size_t at, const std::vector<double> &leave_s,
                                 const std::vector<double> &factors) const {
        const std::uint32_t owner = owner_[at];
        return (at == first_[owner] ? 0 : leave_s[at - 1]) + seconds_[at] * factors[owner];
    }

    std::vector<std::string> names_;
    std::vector<double> computing_;
    std::vector<bool> decides_end_;
    std::vector<double> whole_end_s_;
    std::vector<std::size_t> first_;   // by component: its first flat place; one more at the end
    std::vector<double> seconds_;      // by flat place; each component's last place is its end
    std::vector<std::uint32_t> owner_; // by flat place: component
    // 32 bits are enough, because a run's tables have fewer events; a master keeps all of this in memory.
    std::vector<std::uint32_t> peers_;     // flat places waited for, one list after the other
    std::vector<std::uint32_t> peers_end_; // by flat place
    std::vector<std::uint32_t> order_;     // all places, each after all that it needs
};

} // namespace cpl_lb
