// The recording of one process while the library is on. Owns everything between cpl_lb_init and cpl_lb_terminate.
#pragma once

#include "record/recent_steps.hpp"
#include "record/recorded_exchanges.hpp"
#include "record/recorder.hpp"
#include "run/live/balance_now.hpp"
#include "run/live/process_record.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mpi.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cpl_lb {

struct MemoryLimits;
struct SharedSettings;
struct SpoolIdentity;

class Recording {
public:
    struct Started {
        std::unique_ptr<Recording> recording; // null: switched off
        int code = 0;
    };
    // Names a process after all have sent their own texts (naming.cpp).
    using Namer = std::function<std::string(const std::vector<std::string> &said, const std::vector<int> &ranks,
                                            const std::string &ranges, std::size_t me)>;
    // Collective over comm. With a namer, `component` is the text by which this process names itself.
    [[nodiscard]] static Started start(MPI_Comm comm, std::string component, const Namer &namer = {});
    ~Recording();
    Recording(const Recording &) = delete;
    Recording &operator=(const Recording &) = delete;

    // Called before terminate. name: the model's name of the communicator of this part of its program.
    void note_communicator(std::string_view name) { record_.communicator = name; }
    void note_coupler(std::string_view name) { record_.coupler = name; }
    // Both called before terminate, once for all calls of one kind and field.
    void note_root(RootOfField root) { record_.roots.push_back(root); }
    void note_messages(MessageLog log) { record_.messages.push_back(std::move(log)); }

    // A call of the model that was refused so many times.
    void note_refused(std::string cause, std::int64_t times) {
        record_.problems.push_back({std::move(cause), times, 1, record_.rank()});
    }

    // Null if recording failed on this process, which still takes part in terminate.
    [[nodiscard]] Recorder *recorder() { return record_.recorder.get(); }
    [[nodiscard]] double ticks_per_s() const;
    // Both need a recorder, and run on its thread.
    [[nodiscard]] RecordedMoment recorded_now() const { return cpl_lb::recorded_now(*record_.recorder); }
    [[nodiscard]] RecordedInterval recorded_since(const RecordedMoment &moment) const {
        return cpl_lb::recorded_since(*record_.recorder, moment, ticks_per_s());
    }
    [[nodiscard]] bool drops() const { return record_.recorder == nullptr || record_.recorder->full(); }
    // The balance while the model runs (recording_now.cpp): of this process, and collective over those of comm that
    // record. Empty if a message failed, with the code; no process comes any more then. steps: 0 for not measured.
    [[nodiscard]] RecentTimes recent_times(std::size_t steps);
    [[nodiscard]] std::optional<ComponentsNow> balance_now(MPI_Comm comm, std::size_t steps, int &code);
    // Collective over the processes of the run. The result: CPL_LB_OK or the first error on this process.
    int terminate(double simulated_s, std::int64_t calls_from_other_threads);

    [[nodiscard]] bool leads() const { return transport_.rank() == 0; }
    // The message for a model that ends MPI before cpl_lb_terminate.
    [[nodiscard]] std::string without_terminate_in_words() const;

    void rename(std::string_view component); // before the first event
    void component_begin(std::string_view name);
    bool component_end();
    // Both return why the assertion is refused, in words; empty: it is taken.
    [[nodiscard]] std::string assert_parameter(std::string_view name, double value);
    [[nodiscard]] std::string assert_expression(int region, std::string_view quantity, std::string_view expression);
    // The properties of the component that this process is in.
    [[nodiscard]] ComponentProperties &properties();
    // The part of the grid that this process computes for its present component (analysis/decomposition.hpp).
    bool set_left_out(std::int64_t points); // of the grid of these: no process has them
    // Why the pieces are no part, in words; empty: they are one.
    [[nodiscard]] std::string_view set_pieces(const std::array<std::int64_t, 2> &size,
                                              std::span<const long long> first, std::span<const long long> count);
    void set_length(double simulated_s) {
        if (record_.recorder) record_.recorder->store().first_source().planned_length(simulated_s);
    }

private:
    class OwnTime;
    [[nodiscard]] BalanceNow own_balance(std::size_t steps);
    [[nodiscard]] double rate_now();                         // ticks in a second
    [[nodiscard]] const std::string &component_here() const; // in which this process is
    [[nodiscard]] static std::unique_ptr<Recording> make(MPI_Comm own, SharedSettings &shared, std::string component);
    Recording(MPI_Comm comm, Settings settings, std::string component);
    void note_start(MPI_Comm models, const SharedSettings &shared, const ClockPoint &entry);
    void set_up(const Namer &namer);
    // Begins the text by which a process without a component names itself.
    static constexpr char asks_for_name = '\1';
    [[nodiscard]] bool somebody_asks_for_name() const;
    void take_name(const Namer &namer);
    void note_partial(const std::string &missing);
    // The memory for the library on this process: the setting, or what the limits leave it.
    [[nodiscard]] std::size_t memory_bound(const MemoryLimits &limits) const;
    void start_recorder();
    void start_meters();
    [[nodiscard]] ProcessAnnotations &annotations();
    // Afterwards this object can only be destroyed.
    [[nodiscard]] ProcessRecord hand_over(double simulated_s, std::int64_t calls_from_other_threads);
    [[nodiscard]] std::string run_id() const; // the root's name of the run
    void claim_folder();                      // on the root (recording_files.cpp)
    // Spool (recording_files.cpp). Functions with a group are collective.
    void tell_spool_problems(Group &all);
    [[nodiscard]] std::unique_ptr<ChunkSource> make_spool(std::size_t max_bytes);
    [[nodiscard]] SpoolIdentity spool_identity(std::size_t max_bytes) const;

    ProcessRecord record_; // complete after hand_over()
    MPI_Comm comm_;
    Transport transport_;
    std::string spool_token_, spool_run_id_;
    std::vector<Problem> spool_problems_;
    RecentSteps recent_steps_;
    double rate_ = 0;
    std::uint64_t rate_passed_ = 0; // when it was measured, after first_point
    // Separate from transport_: a call that some process misses must not end the run's own messages.
    std::unique_ptr<Transport> now_;
    bool now_gave_up_ = false;
};

// Notices a model that ends without cpl_lb_terminate: MPI_Finalize deletes an attribute of MPI_COMM_SELF, and that
// calls at_finalize, unless stop_watching_finalize() was called before. If MPI refuses, only the message
// is missing.
void watch_finalize(void (*at_finalize)()) noexcept;
void stop_watching_finalize() noexcept;

} // namespace cpl_lb
