// The rare parts of recording: names, dates, the next chunk, calibration marks, slices, very long gaps.
#include "record/recorder.hpp"

#include "support/default_float.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

namespace cpl_lb {
namespace {

// A separator that cannot be confused with a part of either name.
std::string key_of(std::string_view name, std::string_view counterpart) {
    return std::to_string(name.size()) + ':' + std::string(name) + std::string(counterpart);
}

constexpr std::uint64_t shortest_patience = std::uint64_t{1} << 32U; // ticks: one to four seconds

} // namespace

Recorder::Recorder(Setup setup, std::string_view component)
    : clock_(setup.clock), sliced_(setup.sliced), date_first_s_(setup.date_first_s), date_last_s_(setup.date_last_s),
      store_(setup.chunks ? std::move(setup.chunks) : std::make_unique<MemoryChunks>(), setup.max_bytes),
      name_room_(setup.name_bytes) {
    fields_.emplace_back();
    components_.emplace_back(component);
    component_ids_.emplace(component, 0);
    regions_.keep_edges(setup.name_bytes / 8 / NameRoom::way_B);
    regions_.keep_times(setup.max_bytes / 8);
    component_stack_.reserve(16);
    store_.first_source().name_component(0, component);
    if (!make_room(read_ticks(clock_), 0)) throw std::bad_alloc();
    if (sliced_) pause(); // until the model's first date inside the slice
}

void Recorder::mark_gettime(std::uint32_t id, unsigned code) noexcept {
    store(read_ticks(ClockSource::gettime), id, code);
}

void Recorder::reject(int kind, int field) noexcept {
    if (static_cast<unsigned>(kind) >= static_cast<unsigned>(kinds_of_models)) {
        if (problems_.unknown_kind++ == 0) problems_.first_bad_kind = kind;
    } else if (problems_.unknown_field++ == 0) {
        problems_.first_bad_field = field;
    }
}

bool Recorder::make_room(std::uint64_t ticks, std::ptrdiff_t words) noexcept {
    if (full_) return false;
    if (chunk_ != nullptr && chunk_ + chunk_words - cursor_ >= words) return true;
    // A spool that gives no chunk before its bound has failed; memory is tried in its place once.
    Mark *next = store_.grow();
    if (next == nullptr && !store_.at_bound() && store_.first_source().survives() && problems_.spool_failed == 0 &&
        chunk_ != nullptr) {
        problems_.spool_failed = 1;
        try {
            store_.replace_source(std::make_unique<MemoryChunks>());
            next = store_.grow();
        } catch (const std::bad_alloc &) {
            next = nullptr;
        }
    }
    if (next == nullptr) {
        full_ = chunk_ != nullptr;
        problems_.out_of_memory = store_.at_bound() ? 0 : 1;
        limit_ = cursor_;
        if (full_) store_.first_source().bound_reached(ticks);
        return false;
    }
    chunk_ = cursor_ = next;
    // Each chunk can be read on its own: it begins with the absolute time.
    put_time(ticks);
    last_ticks_ = ticks;
    set_due();
    if (store_.first_source().survives()) calibrate(true);
    set_limit();
    return true;
}

// Writes the first word last. If the process is killed, either all of them are there or none. `cpl-lb watch`, which
// reads the file on another processor, also sees them in that order, even if processors reorder stores.
void Recorder::put_words(Mark mark, std::uint64_t second, std::uint64_t third) noexcept {
    const std::size_t extra = extra_words(code_of(mark));
    if (extra > 1) cursor_[2] = third;
    if (extra > 0) cursor_[1] = second;
    std::atomic_ref(cursor_[0]).store(mark, std::memory_order_release);
    cursor_ += 1 + extra;
}

void Recorder::put_time(std::uint64_t ticks) noexcept {
    put_words(make_mark(0, 0, static_cast<unsigned>(MarkCode::time)), ticks);
}

// Calibration marks are close together at first and then a minute apart. So in a run of any length its marks lie
// between two of them or shortly after the last.
void Recorder::calibrate(bool now) noexcept {
    constexpr std::uint64_t longest_ns = 60'000'000'000U;
    const std::uint64_t ns = monotonic_ns();
    if (!now && ns < next_calibration_ns_) return;
    if (chunk_ + chunk_words - cursor_ < calibration_room) return; // the next chunk begins with one
    const ClockPoint point = take_clock_point(clock_);
    put_words(make_mark(0, 0, static_cast<unsigned>(MarkCode::calibration)), point.ticks,
              static_cast<std::uint64_t>(point.monotonic_ns));
    if (first_calibration_ns_ == 0) first_calibration_ns_ = ns;
    next_calibration_ns_ = ns + std::clamp<std::uint64_t>(ns - first_calibration_ns_, 100'000'000U, longest_ns);
    marks_at_calibration_ = cursor_;
    calibrated_ns_ = ns;
}

// Sets the end of the fast path: the end of the chunk or, with calibrations, about where the next one is due at the
// current rate of marks. So calibrations cost the fast path nothing.
void Recorder::set_limit() noexcept {
    const Mark *const end = chunk_ + chunk_words;
    limit_ = paused_ || full_ ? cursor_ : chunk_ + chunk_words;
    if (limit_ == cursor_ || !store_.first_source().survives()) return;
    const DefaultFloat ours;
    const std::uint64_t now = monotonic_ns();
    const std::uint64_t wait = next_calibration_ns_ > now ? next_calibration_ns_ - now : 0;
    const auto passed = static_cast<double>(std::max<std::uint64_t>(now - calibrated_ns_, 1));
    const auto marks = static_cast<double>(cursor_ - marks_at_calibration_);
    const double due = std::max(16.0, 0.5 * marks * (static_cast<double>(wait) / passed));
    if (due < static_cast<double>(end - cursor_)) limit_ = cursor_ + static_cast<std::ptrdiff_t>(due);
}

void Recorder::append_words(std::uint64_t ticks, std::uint32_t id, MarkCode code, std::uint64_t extra) noexcept {
    if (!make_room(ticks, 4)) return;
    const std::uint64_t delta = ticks - last_ticks_;
    if ((delta >> mark_delta_bits) != 0) { // a long gap, or a clock that stepped back: delta is then huge
        put_time(ticks);
        put_words(make_mark(0, id, static_cast<unsigned>(code)), extra);
    } else {
        put_words(make_mark(delta, id, static_cast<unsigned>(code)), extra);
    }
    last_ticks_ = ticks;
    set_due();
    if (paused_) limit_ = cursor_;
}

// Between the last mark and 2^40 ticks after it, so that the time of a mark that is not yet due fits into it.
void Recorder::set_due() noexcept {
    due_ticks_ = last_ticks_ + (std::uint64_t{1} << mark_delta_bits);
    if (wished_ticks_ < due_ticks_) due_ticks_ = std::max(wished_ticks_, last_ticks_ + 1);
}

void Recorder::listen(TickListener &listener) noexcept {
    listener_ = &listener;
    wished_ticks_ = 0;
    patient_until_ticks_ = read_ticks(clock_) + shortest_patience;
    set_due();
}

// The listener must be called between events, or its time would be measured as theirs: it waits until no event is
// open. An event that stays open for long (the whole run, or because its end is missing) is ignored here.
void Recorder::tick(std::uint64_t ticks) noexcept {
    if (listener_ == nullptr || stopped_ || ticks < wished_ticks_) return;
    if (open_ > 0 && ticks < patient_until_ticks_) return;
    open_ = 0;
    const DefaultFloat ours;
    wished_ticks_ = listener_->tick(ticks);
    patient_until_ticks_ = wished_ticks_ + std::max(wished_ticks_ - ticks, shortest_patience);
    set_due();
}

void Recorder::append_slow(std::uint64_t ticks, std::uint32_t id, unsigned code) noexcept {
    if (stopped_) return;
    if (is_begin(code)) open_ = std::max<std::int64_t>(open_, 1); // it may be less after ends without begins
    if (paused_) {
        note_paused(code);
    } else if (!make_room(ticks, 3)) {
        drop(ticks, code);
    } else {
        append_words(ticks, id, static_cast<MarkCode>(code), 0);
        if (store_.first_source().survives()) {
            calibrate(false);
            set_limit();
        }
    }
    if (!is_begin(code)) tick(ticks); // after the mark, so that the listener's time does not move it
}

// An event counts as dropped at its begin. If it began before the bound, only its end is missing: decoding removes
// and counts it.
void Recorder::drop(std::uint64_t ticks, unsigned code) noexcept {
    if (is_begin(code)) ++problems_.dropped;
    if (first_drop_ticks_ == 0) first_drop_ticks_ = ticks;
}

void Recorder::note_paused(unsigned code) noexcept {
    if (is_begin(code)) ++open_in_pause_;
    if (is_end(code) && open_in_pause_ > 0) --open_in_pause_;
}

void Recorder::pause() noexcept {
    append_words(read_ticks(clock_), 0, MarkCode::pause, 0);
    paused_ = true;
    open_in_pause_ = 0;
    limit_ = cursor_;
}

void Recorder::resume() noexcept {
    paused_ = false;
    if (!full_) limit_ = chunk_ + chunk_words;
    const auto open = open_in_pause_ > mark_max_id ? mark_max_id : static_cast<std::uint32_t>(open_in_pause_);
    append_words(read_ticks(clock_), open, MarkCode::resume, 0);
}

// The same span for several fields: one event inside the other, all with the same begin.
void Recorder::span(int kind, const int *fields, int count, std::uint64_t begin, std::uint64_t end, int early,
                    std::uint64_t early_end) noexcept {
    begin = std::max(begin, last_ticks_);
    end = std::max(begin, end);
    early_end = std::clamp(early_end, begin, end);
    const auto is_known = [&](int field) { return static_cast<unsigned>(field) < field_count_; };
    if (static_cast<unsigned>(kind) >= static_cast<unsigned>(kind_count)) return reject(kind, 0);
    const auto put = [&](std::uint64_t ticks, int field, unsigned first_code) {
        if (!is_known(field)) return;
        open_ += first_code == begin_code(0) ? 1 : -1;
        store(ticks, static_cast<std::uint32_t>(field), first_code + static_cast<unsigned>(kind));
    };
    for (int i = 0; i < count; ++i)
        put(begin, fields[i], begin_code(0));
    for (int i = count; i-- > 0;)
        put(i >= count - early ? early_end : end, fields[i], end_code(0));
    if (end >= wished_ticks_) tick(end); // ends at one time take the fast path, without a tick
}

void Recorder::date(std::int64_t seconds) noexcept {
    last_date_ = seconds;
    dated_ = true;
    if (stopped_) return;
    if (sliced_) {
        const bool inside = seconds >= date_first_s_ && (date_last_s_ < 0 || seconds <= date_last_s_);
        if (inside && paused_) resume();
        if (!inside && !paused_) pause();
        if (!inside) return;
    }
    const std::uint64_t ticks = read_ticks(clock_);
    append_words(ticks, 0, MarkCode::date, static_cast<std::uint64_t>(seconds));
    tick(ticks);
    if (store_.first_source().survives() && !full_) {
        calibrate(false);
        set_limit();
    }
}

// Without memory for the counts, the messages of fields are not known.
void Recorder::mpi_starts() noexcept {
    inside_.starts(read_ticks(clock_));
    store_.first_source().inside_is_summed();
    regions_.count_messages();
    try {
        sent_of_field_.resize(fields_.size());
    } catch (const std::bad_alloc &) {
        sent_of_field_.clear();
    }
}

int Recorder::field(std::string_view name, std::string_view counterpart) {
    const std::string key = key_of(name, counterpart);
    if (!name.empty()) {
        if (const auto found = field_ids_.find(key); found != field_ids_.end()) return found->second;
    }
    if (fields_.size() > mark_max_id || !name_room_.take(NameRoom::field_B, name.size() + counterpart.size())) {
        ++problems_.nameless;
        return 0;
    }
    fields_.push_back({std::string(name), std::string(counterpart)});
    const int id = static_cast<int>(fields_.size()) - 1;
    if (!name.empty()) field_ids_.emplace(key, id);
    store_.first_source().name_field(static_cast<std::uint32_t>(id), name, counterpart);
    field_count_ = static_cast<unsigned>(fields_.size());
    if (!sent_of_field_.empty()) sent_of_field_.resize(fields_.size());
    return id;
}

bool Recorder::set_field(int field, std::string_view name, std::string_view counterpart) {
    if (field < 1 || static_cast<std::size_t>(field) >= fields_.size()) return false;
    LocalField &f = fields_[static_cast<std::size_t>(field)];
    name_room_.give_back(f.name.size() + f.counterpart.size());
    const std::string_view new_name = name.empty() ? f.name : name;
    const std::string_view new_counterpart = counterpart.empty() ? f.counterpart : counterpart;
    if (!name_room_.take(0, new_name.size() + new_counterpart.size())) {
        static_cast<void>(name_room_.take(0, f.name.size() + f.counterpart.size()));
        ++problems_.nameless;
        return true;
    }
    if (!name.empty()) f.name = name;
    if (!counterpart.empty()) f.counterpart = counterpart;
    store_.first_source().name_field(static_cast<std::uint32_t>(field), f.name, f.counterpart);
    return true;
}

int Recorder::region(std::string_view name) {
    if (regions_.knows(name) || name_room_.take(NameRoom::region_B, name.size())) return regions_.id(name);
    ++problems_.nameless;
    return regions_.id(further_names);
}

void Recorder::rename(std::string_view component) {
    component_ids_.erase(components_.front());
    components_.front() = component;
    component_ids_.emplace(component, 0);
}

std::uint32_t Recorder::component_of(std::string_view name) {
    if (const auto known = component_ids_.find(name); known != component_ids_.end()) return known->second;
    const bool further = name == further_names;
    if (!further && (components_.size() >= mark_max_id || !name_room_.take(NameRoom::component_B, name.size()))) {
        ++problems_.nameless;
        return component_of(further_names);
    }
    const auto index = static_cast<std::uint32_t>(components_.size());
    components_.emplace_back(name);
    component_ids_.emplace(name, index);
    store_.first_source().name_component(index, name);
    return index;
}

void Recorder::component_begin(std::string_view name) {
    if (component_stack_.size() >= deepest) {
        ++problems_.too_deep;
        ++too_deep_now_;
        return;
    }
    const std::uint32_t index = component_of(name);
    component_stack_.push_back(index);
    if (!stopped_) append_words(read_ticks(clock_), index, MarkCode::component_begin, 0);
}

bool Recorder::component_end() noexcept {
    if (too_deep_now_ > 0) {
        --too_deep_now_;
        return true;
    }
    if (component_stack_.empty()) {
        ++problems_.component_order;
        return false;
    }
    const std::uint32_t index = component_stack_.back();
    component_stack_.pop_back();
    if (!stopped_) append_words(read_ticks(clock_), index, MarkCode::component_end, 0);
    return true;
}

void Recorder::stop() noexcept {
    stopped_ = true;
    limit_ = cursor_;
}

} // namespace cpl_lb
