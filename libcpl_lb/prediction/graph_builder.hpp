// Builds the graph of a stretch of a run, component by component (see measured_graph.cpp for the order).
#pragma once

#include "prediction/changes.hpp"
#include "prediction/measured_graph.hpp"
#include "prediction/stretch_points.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cpl_lb {

// By component: the others that have a process in common with it.
[[nodiscard]] Sharing sharing(const CoupledRun &run);

// Throws PredictionError (one line) if components share processes but have no times away (timelines of OASIS, or of
// an old cpl_lb), or if their processes went to others a different number of times.
void check_turns(const CoupledRun &run, const Sharing &shares);

// One time away as two points of the component's graph: where it leaves, and where it returns.
struct Turn {
    Interval away;
    std::size_t leaves = 0, back = 0;
};

// Makes a component return only when those that had its processes have left. `turns`: by component, by time.
void add_turns(std::vector<Constituent> &constituents, const std::vector<std::vector<Turn>> &turns,
               const Sharing &shares);

// Parts evenly spread over the loop; the whole loop if it holds at most so many PUTs and GETs.
[[nodiscard]] std::vector<Interval> parts_of_loop(const CoupledRun &run, const Interval &loop,
                                                  std::size_t most_points);

// Fields that several components send and one receives from any sender, so that no record tells whose send a receive
// took. If all send in turn, or all each time, the order does not matter; with different rates it does. Throws
// PredictionError if such senders did not send equally often. A difference of one or two sends, at the ends of a run,
// is allowed. Fields that an I/O server receives hold up nobody and are left out.
void check_unnamed_senders(const CoupledRun &run, const std::vector<MatchedExchange> &exchanges);

// The lags that other runs of the model show, if they are larger.
[[nodiscard]] std::vector<Exchange> with_seen_lags(const CoupledRun &run, std::vector<Exchange> exchanges,
                                                   const SeenExchanges &seen);

// By exchange. A transfer that was not seen is assumed to be like most others; if none was seen, synchronous, as in
// the paper. Between components in turn on the same processes a sender cannot wait, because its receiver runs only
// after it.
[[nodiscard]] std::vector<Transfer> settled_transfers(const CoupledRun &run,
                                                      const std::vector<MatchedExchange> &exchanges,
                                                      const Sharing &shares, const SeenExchanges &seen);

// The place of an event of a component (by id) in the graph; empty if it lies outside of the interval.
using FindPoint = std::function<std::optional<PointPlace>(std::int32_t component, std::uint32_t event)>;

// Fills in `result.cycle`, or `result.why_no_cycle`.
void find_cycle(const CoupledRun &run, MeasuredGraph &result, const FindPoint &find_point);

struct GraphBuilder {
    const CoupledRun &run;
    MeasuredGraph &result;
    std::vector<Constituent> constituents{};
    std::vector<PointOfEvent> point_of_event{}; // by component
    std::vector<std::vector<Placed>> points{};
    std::vector<Nanoseconds> ends{};        // by component: when it stops to compute
    Sharing shares{};                       // of processes
    std::vector<bool> decides_end{};        // by component
    std::vector<std::vector<Turn>> turns{}; // by component
    std::map<std::int32_t, std::size_t> place_of_id{};
    std::vector<std::size_t> first_point{};                    // by component, in result.measured
    Nanoseconds bound = 0;                                     // of the clocks
    const Changes *changes = nullptr;                          // null: as it was measured
    const std::vector<MatchedExchange> *as_measured = nullptr; // their pairs before the changes
    std::vector<double> core_factors{}; // by component: its computing on other cores; empty: all 1
    std::set<std::size_t> changed{};    // exchanges whose pairs were moved: the run does not show them any more
    // In a changed graph, by component and point: mapping inside of the exchange, before a PUT and behind a GET.
    std::vector<std::vector<double>> mapping_s{};
    bool ties_count = true; // a component that left its previous point at the very moment can have been waited for

    // Makes its exchanges points, with the computing before each.
    void add_component(const Component &component);
    // Adds the time of transfers, times changes->transfer, to the computing after them. `exchanges`: as measured.
    void add_transfer_costs(const std::vector<MatchedExchange> &exchanges);
    // Moves mappings in exchanges with changes->mapping_at to it. Throws PredictionError if there is none.
    void move_mappings();
    // Adds who waits for whom at these points.
    void add_waits();
    void add_paces();
    // Throws PredictionError if GETs wait long for something that nobody sends.
    void check_holes() const;
    // Adds computing in whole cycles only, because the ends of the stretch have more or less of it than of waiting.
    void add_cycle_computing();
    // The fields that would wait for each other for ever, if the graph has a ring.
    [[nodiscard]] std::string ring_in_words() const;
    // The last step, which may use up the constituents: makes result.rehearsal, unless the loop is too short or does
    // not begin with equal cycles.
    void rehearse_loop();

    [[nodiscard]] std::size_t point(std::int32_t id, std::uint32_t event) const {
        return point_of_event[place_of_id.at(id)][event];
    }
    [[nodiscard]] const Interval &measured(const PointPlace &p) const {
        return result.measured[first_point[p.component] + p.point];
    }

private:
    // The computing of a component, in the order of time.
    struct PiecesOfComponent {
        std::vector<ComputingPiece> pieces;
        std::vector<std::size_t> point;  // that each precedes; one more than there are pieces: the end
        std::vector<std::size_t> inside; // the exchange that a mapping lies in; nowhere: it is none

        void add(std::size_t before, const ComputingPiece &piece, std::size_t in = nowhere) {
            pieces.push_back(piece);
            point.push_back(before);
            inside.push_back(in);
        }
    };
    void change_pieces(const Component &component, PiecesOfComponent pieces, Constituent &c);
    [[nodiscard]] double &computing(const PointPlace &place);
    template <class Do>
    void for_each_pair(const MatchedExchange &m, Do what);
    void take_turns();
    [[nodiscard]] std::vector<RecordedPiece> recorded_pieces(std::size_t c) const;
    void note_times(const Placed &p, Nanoseconds left) const;
    void add_waits(const MatchedExchange &m, const std::vector<EventPair> &pairs, Transfer transfer,
                   bool as_recorded);
    [[nodiscard]] bool can_wait(const PointPlace &who, const PointPlace &for_whom) const;
};

} // namespace cpl_lb
