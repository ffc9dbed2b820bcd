// Records the coupling events of one process. The hot path is begin() and end(): one clock read, one store.
// Everything that can wait (matching ends with begins, names, components) is left to decode.hpp.
#pragma once

#include "data/settings.hpp"
#include "events/catalogue.hpp"
#include "events/marks.hpp"
#include "record/inside_times.hpp"
#include "record/mark_store.hpp"
#include "record/name_room.hpp"
#include "record/open_exchanges.hpp"
#include "record/peers.hpp"
#include "record/regions.hpp"
#include "support/clock.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cpl_lb {

// Is called from time to time, after an event that happens anyway.
class TickListener {
public:
    TickListener() = default;
    TickListener(const TickListener &) = delete;
    TickListener &operator=(const TickListener &) = delete;
    virtual ~TickListener() = default;

    // `ticks`: the time now, on the clock of the hot path. Returns the earliest time of the next call.
    [[nodiscard]] virtual std::uint64_t tick(std::uint64_t ticks) noexcept = 0;
};

// Mistakes of the model, and events that did not fit. Counted here and printed once at terminate.
struct RecordingProblems {
    std::int64_t unknown_kind = 0;
    std::int64_t unknown_field = 0;
    std::int64_t unknown_region = 0;
    std::int64_t region_order = 0;    // region end without begin
    std::int64_t component_order = 0; // component end without begin
    std::int64_t too_deep = 0;        // component begin inside too many others
    std::int64_t nameless = 0;        // calls with a new name when there was no room for names any more
    std::int64_t dropped = 0;         // events past the memory bound
    std::int64_t out_of_memory = 0;   // 1: a chunk could not be had, recording stopped
    std::int64_t spool_failed = 0;    // 1: the spool could not grow, memory took over
    std::int64_t elsewhere = 0;       // calls of MPI on threads that are not recorded ...
    double elsewhere_s = 0.0;         // ... and their time
    std::int64_t left_calls = 0;      // calls of MPI that were left by a jump
    std::int64_t balance_calls = 0;   // of cpl_lb_balance_now and cpl_lb_balance_here ...
    std::uint64_t balance_ticks = 0;  // ... and their time, with the wait for the others
    int first_bad_kind = 0;
    int first_bad_field = 0;
};

class Recorder {
public:
    // Beyond the room for names, new regions and components share this one, and new fields have none.
    static constexpr std::string_view further_names = "(further names)";
    static constexpr std::size_t deepest = 65536; // components inside each other

    struct Setup {
        ClockSource clock = ClockSource::gettime;
        std::size_t max_bytes = std::size_t{512} << 20U; // of marks; times of regions may take an eighth of it more
        std::size_t name_bytes = std::size_t{64} << 20U; // for what the model names
        std::int64_t date_first_s = 0;
        std::int64_t date_last_s = -1;
        bool sliced = false;
        std::unique_ptr<ChunkSource> chunks; // null: memory
    };
    // component: the name given to cpl_lb_init. Throws std::bad_alloc if there is no memory for the first chunk.
    Recorder(Setup setup, std::string_view component);

    void begin(int kind, int field) noexcept { mark(kind, field, begin_code(0)); }
    void end(int kind, int field) noexcept { mark(kind, field, end_code(0)); }
    // Records an event that is over. If it begins before the last mark, it is cut there.
    void span(int kind, const int *fields, int count, std::uint64_t begin, std::uint64_t end, int early = 0,
              std::uint64_t early_end = 0) noexcept;
    // Records time in MPI. It counts as inside the component unless an exchange is open.
    void mpi_call(MpiClass mpi_class, std::uint64_t begin, std::uint64_t end) noexcept {
        if (!open_exchanges_.within(store_, cursor_)) inside_.add(mpi_class, begin, end);
    }
    // Must be called before the first mpi_call() or message_sent().
    void mpi_starts() noexcept;
    // to: a rank in MPI_COMM_WORLD; below 0: not known. field: of the exchange; 0: that of the open PUT. bytes below
    // 0: no message, but a mark of the field.
    void message_sent(std::int64_t bytes, int to, int field) noexcept {
        const bool is_mark = bytes < 0;
        if (!is_mark) regions_.message(bytes);
        if (to >= 0) peers_.sent(to, bytes);
        if (field == 0 && !is_mark) field = open_exchanges_.put_field(store_, cursor_);
        if (field > 0 && static_cast<std::size_t>(field) < sent_of_field_.size())
            sent_of_field_[static_cast<std::size_t>(field)].add(is_mark ? 0 : bytes);
    }
    // A call of MPI that waited for messages from these ranks. It counts under the same condition as mpi_call().
    void waited_for(std::span<const int> ranks, std::uint64_t begin, std::uint64_t end) noexcept {
        if (!open_exchanges_.within(store_, cursor_)) peers_.waited(ranks, end - begin);
    }
    void date(std::int64_t seconds) noexcept;
    void region_begin(int region) noexcept {
        if (!regions_.begin(region, clock_)) ++problems_.unknown_region;
    }
    void region_end(int region) noexcept {
        const Regions::Ended ended = regions_.end(region, clock_, last_ticks_);
        if (ended.how == Regions::End::unknown) ++problems_.unknown_region;
        if (ended.how == Regions::End::not_begun) ++problems_.region_order;
        if (ended.ticks >= wished_ticks_) [[unlikely]]
            tick(ended.ticks);
    }
    // The listener is called on the recording thread, first after the next event. It must outlive the recording.
    void listen(TickListener &listener) noexcept;

    // 0: there is no room for one more.
    [[nodiscard]] int field(std::string_view name, std::string_view counterpart);
    [[nodiscard]] int region(std::string_view name);
    // False if there is no such field.
    [[nodiscard]] bool set_field(int field, std::string_view name, std::string_view counterpart);
    void rename(std::string_view component); // the component of cpl_lb_init
    void component_begin(std::string_view name);
    [[nodiscard]] bool component_end() noexcept;
    [[nodiscard]] const std::string &component_here() const {
        return components_[component_stack_.empty() ? 0 : component_stack_.back()];
    }

    // Ends the recording; the marks stay readable.
    void stop() noexcept;

    [[nodiscard]] ClockSource clock() const { return clock_; }
    [[nodiscard]] const std::vector<LocalField> &fields() const { return fields_; }          // by id; [0]: field 0
    [[nodiscard]] const std::vector<std::string> &components() const { return components_; } // [0]: from init
    [[nodiscard]] const RecordingProblems &problems() const { return problems_; }
    [[nodiscard]] RecordingProblems &problems() { return problems_; }
    [[nodiscard]] std::uint64_t first_drop_ticks() const { return first_drop_ticks_; } // 0: none dropped
    [[nodiscard]] bool full() const { return full_; }
    [[nodiscard]] MarkStore &store() { return store_; }
    [[nodiscard]] const MarkStore &store() const { return store_; }
    [[nodiscard]] std::size_t marks_in_last_chunk() const { return static_cast<std::size_t>(cursor_ - chunk_); }
    // The place behind the last mark.
    [[nodiscard]] MarkStore::Place place() const {
        return {store_.chunk_count() - 1, marks_in_last_chunk(), last_ticks_};
    }
    [[nodiscard]] Regions &regions() { return regions_; }
    [[nodiscard]] const Regions &regions() const { return regions_; }
    [[nodiscard]] InsideTimes &inside() { return inside_; }
    [[nodiscard]] const InsideTimes &inside() const { return inside_; }
    [[nodiscard]] const Peers &peers() const { return peers_; }
    // The messages of the exchanges of each field, by its id.
    [[nodiscard]] const std::vector<SentMessages> &sent_of_field() const { return sent_of_field_; }
    [[nodiscard]] std::int64_t last_date() const { return last_date_; }
    [[nodiscard]] bool dated() const { return dated_; } // the model gave a date

private:
    // The whole hot path. Rare cases are calls at the very end, so that no register has to be saved before them.
    void mark(int kind, int field, unsigned first_code) noexcept {
        if (static_cast<unsigned>(kind) >= static_cast<unsigned>(kinds_of_models) ||
            static_cast<unsigned>(field) >= field_count_) [[unlikely]]
            return reject(kind, field);
        open_ += first_code == begin_code(0) ? 1 : -1;
        const unsigned code = first_code + static_cast<unsigned>(kind);
        if (clock_ != processors_counter) return mark_gettime(static_cast<std::uint32_t>(field), code);
        store(read_ticks(processors_counter), static_cast<std::uint32_t>(field), code);
    }
    void store(std::uint64_t ticks, std::uint32_t id, unsigned code) noexcept {
        // One comparison for three rare things: the listener's time has come, the gap is too long for a mark, or the
        // clock stepped back (delta is then huge). last_ticks_ < due_ticks_ <= last_ticks_ + 2^40, see set_due().
        const std::uint64_t delta = ticks - last_ticks_;
        if (delta >= due_ticks_ - last_ticks_ || cursor_ == limit_) [[unlikely]]
            return append_slow(ticks, id, code);
        *cursor_++ = make_mark(delta, id, code);
        last_ticks_ = ticks;
    }
    void mark_gettime(std::uint32_t id, unsigned code) noexcept; // for clocks that are a call

    [[nodiscard]] std::uint32_t component_of(std::string_view name); // its index
    void reject(int kind, int field) noexcept;
    void append_slow(std::uint64_t ticks, std::uint32_t id, unsigned code) noexcept;
    void append_words(std::uint64_t ticks, std::uint32_t id, MarkCode code, std::uint64_t extra) noexcept;
    // False if nothing can be stored any more: the event is counted as dropped.
    bool make_room(std::uint64_t ticks, std::ptrdiff_t words) noexcept;
    void drop(std::uint64_t ticks, unsigned code) noexcept;
    void note_paused(unsigned code) noexcept;
    void put_words(Mark mark, std::uint64_t second, std::uint64_t third = 0) noexcept;
    void put_time(std::uint64_t ticks) noexcept;
    void calibrate(bool now) noexcept;
    void set_limit() noexcept;
    void set_due() noexcept;
    void tick(std::uint64_t ticks) noexcept;
    void pause() noexcept;
    void resume() noexcept;

    // The members that the hot path uses lie together.
    Mark *cursor_ = nullptr;
    Mark *limit_ = nullptr; // == cursor_ while paused or full: every append takes the slow way
    std::uint64_t last_ticks_ = 0;
    std::uint64_t due_ticks_ = 1;
    std::int64_t open_ = 0; // events begun and not ended; only decides when a tick may come
    unsigned field_count_ = 1;
    ClockSource clock_;

    std::uint64_t wished_ticks_ = std::numeric_limits<std::uint64_t>::max(); // when the listener wants to be called
    std::uint64_t patient_until_ticks_ = 0;                                  // a tick waits so long for open events
    TickListener *listener_ = nullptr;

    Mark *chunk_ = nullptr;
    bool paused_ = false;
    bool full_ = false;
    bool stopped_ = false;
    bool sliced_ = false;
    std::int64_t date_first_s_ = 0;
    std::int64_t date_last_s_ = -1;
    std::int64_t last_date_ = 0;
    bool dated_ = false;
    std::int64_t open_in_pause_ = 0;
    std::uint64_t first_drop_ticks_ = 0;
    // The members below are for marks that survive a crash.
    static constexpr std::ptrdiff_t calibration_room = 8; // words: one calibration, and the mark after it
    const Mark *marks_at_calibration_ = nullptr;
    std::uint64_t first_calibration_ns_ = 0;
    std::uint64_t calibrated_ns_ = 0;
    std::uint64_t next_calibration_ns_ = 0;
    MarkStore store_;
    std::vector<LocalField> fields_;
    std::unordered_map<std::string, int> field_ids_;
    std::vector<std::string> components_;
    NumberOfName<std::uint32_t> component_ids_;
    std::vector<std::uint32_t> component_stack_;
    std::int64_t too_deep_now_ = 0; // components begun beyond the deepest and not ended
    NameRoom name_room_;
    Regions regions_;
    InsideTimes inside_;
    Peers peers_;
    std::vector<SentMessages> sent_of_field_; // empty: MPI is not recorded
    OpenExchanges open_exchanges_;
    RecordingProblems problems_;
};

} // namespace cpl_lb
