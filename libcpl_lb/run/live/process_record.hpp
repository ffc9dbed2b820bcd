// Everything that a process hands to cpl_lb_terminate: its recording, and its knowledge of the run since cpl_lb_init;
// and cpl_lb_terminate of one process.
#pragma once

#include "assertions/process_annotations.hpp"
#include "data/coupled_run.hpp"
#include "data/settings.hpp"
#include "data/time.hpp"
#include "events/message_log.hpp"
#include "io/files/folder_claim.hpp"
#include "meters/process_meters.hpp"
#include "meters/processors.hpp"
#include "mpi/clock_sync.hpp"
#include "mpi/problems.hpp"
#include "mpi/process_map.hpp"
#include "mpi/transport.hpp"
#include "record/recorder.hpp"
#include "support/clock.hpp"
#include "support/memory_reserve.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

struct ProcessRecord {
    Transport *transport = nullptr;
    ProcessMap process_map;
    Settings settings;
    std::size_t memory_bound_B = 0;
    std::string component;    // the name given to cpl_lb_init
    std::string coupler;      // the coupler of this process's adapter; empty: there is none
    std::string communicator; // the model's name of this part's communicator; empty: it has none
    std::string run_id;       // the root's name of the run
    std::string started;      // ISO 8601 UTC

    ClockSource clock_source = ClockSource::gettime;
    ClockPoint first_point;   // at the entry into cpl_lb_init
    ClockPoint arrival;       // at the entry into cpl_lb_terminate
    ClockOffset first_offset; // as measured in cpl_lb_init
    TickScale scale;

    MemoryReserve reserve;              // given back when there is no memory left, for what the others have to hear
    std::unique_ptr<Recorder> recorder; // null: there was no memory for it
    std::unique_ptr<ProcessMeters> meters;               // null: none asked for, or no memory for them
    std::int64_t first_switches = -1;                    // involuntary context switches before cpl_lb_init
    ThreadSeconds first_no_processor, last_no_processor; // at init and at terminate
    std::unique_ptr<ProcessAnnotations> annotations;     // null: the model gave none
    std::map<std::string, ComponentProperties, std::less<>> properties;
    std::map<std::string, GridPart, std::less<>> grid_parts;
    std::map<std::string, std::int64_t, std::less<>> left_out; // points of these grids that no process has
    double simulated_s = 0;                                    // 0: not given
    std::int64_t foreign_calls = 0;                            // from threads other than that of cpl_lb_init
    std::vector<Problem> problems;                             // known so far
    std::vector<MessageLog> messages;                          // if MPI itself was recorded
    std::vector<RootOfField> roots; // the same, for parts of a program that have no names yet
    NumberList rank_in_world;       // the same, of each rank of the library's communicator; empty: in the model

    int model_processes = 0;            // size of the communicator of cpl_lb_init
    std::string partial;                // on the root: the processes that are not recorded; empty: none
    std::shared_ptr<FolderClaim> claim; // on the root: the folder for results
    bool told_of_other_run = false;     // that the other run has the folder

    [[nodiscard]] int rank() const { return transport->rank(); }
    [[nodiscard]] std::size_t place() const { return static_cast<std::size_t>(rank()); } // in lists of all processes
    [[nodiscard]] std::int32_t node_of(int other) const {
        return process_map.node_of_rank[static_cast<std::size_t>(other)];
    }
    [[nodiscard]] std::int32_t node() const { return node_of(rank()); }
    [[nodiscard]] bool leads_node() const { return process_map.ranks_of_node(node()).front() == rank(); }

    // The memory that nn_max_mb leaves to each part of the library on one process (docs/decisions/bounds.md).
    // Bytes for marks while the model runs. An event has 16 bytes of marks and needs some 100 in cpl_lb_terminate,
    // which so stays within 1.5 times the bound.
    [[nodiscard]] std::size_t mark_bytes() const { return memory_bound_B / 5; }
    // What a model names is needed at terminate, too.
    [[nodiscard]] std::size_t name_bytes() const { return std::max(memory_bound_B / 8, std::size_t{1} << 20U); }
    // A second limit, because begins that never end take only 8 bytes.
    [[nodiscard]] std::size_t most_decoded_events() const { return memory_bound_B / 80; }
    // Limits the union of the events of processes that recorded different ones.
    [[nodiscard]] std::size_t most_united_events() const { return memory_bound_B / 120; }
    // How many PUTs and GETs of other masters' components the root holds at a time, some 100 bytes each.
    [[nodiscard]] std::size_t most_exchanges_elsewhere() const { return memory_bound_B / 256; }
};

// What goes wrong on this process while cpl_lb_terminate goes from step to step.
class ProblemList {
public:
    // known: earlier problems; the first one gives the code.
    ProblemList(int rank, std::vector<Problem> known) : rank_(rank), problems_(std::move(known)) {
        for (const Problem &p : problems_)
            note(p.code);
    }

    void add(int code, std::string cause, std::int64_t count = 1) {
        note(code);
        problems_.push_back({std::move(cause), count, 1, rank_, code});
    }
    // Adds something that the user should know, although the run is good.
    void remark(Problem told) { problems_.push_back(std::move(told)); }
    void remark(std::string told) { remark({std::move(told), 1, 1, rank_, 0}); }
    // Called if results are not where the user wants them: the spool files have to stay.
    void lose_results(int code, std::string cause) {
        add(code, std::move(cause));
        results_lost_ = true;
    }
    void lose_results() { results_lost_ = true; }
    // Notes an error code; the first one counts.
    void note(int code) {
        if (code_ == 0) code_ = code;
    }
    void end_with(int code) { code_ = code; }

    [[nodiscard]] int code() const { return code_; }
    [[nodiscard]] bool results_lost() const { return results_lost_; }
    [[nodiscard]] const std::vector<Problem> &all() const { return problems_; }

private:
    int rank_;
    std::vector<Problem> problems_;
    int code_ = 0;
    bool results_lost_ = false;
};

// From what the process recorded to the results of the run. Collective over the processes of the run. Never hangs,
// and never throws for a failure in a step. Returns CPL_LB_OK or the first error of this process.
[[nodiscard]] int terminate(ProcessRecord record);

// How many threads of the run share a processor: those on this process's node, divided by the node's processors; NaN:
// not known.
[[nodiscard]] inline double threads_per_processor(const ProcessRecord &record) {
    const std::int64_t processors = processors_of_node();
    if (processors <= 0) return unknown;
    const ProcessMap &process_map = record.process_map;
    std::int64_t threads = 0;
    for (const int other : process_map.ranks_of_node(record.node()))
        threads += process_map.threads_of_rank[static_cast<std::size_t>(other)];
    return static_cast<double>(threads) / static_cast<double>(processors);
}

} // namespace cpl_lb
