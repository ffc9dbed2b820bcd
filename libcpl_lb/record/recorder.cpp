#include "record/recorder.hpp"

#include <new>
#include <utility>

namespace cpl_lb {
namespace {

// A separator that cannot be confused with a part of either name.
std::string key_of(std::string_view name, std::string_view counterpart) {
    return std::to_string(name.size()) + ':' + std::string(name) + std::string(counterpart);
}

} // namespace

Recorder::Recorder(Setup setup, std::string_view component)
    : clock_(setup.clock), sliced_(setup.sliced), date_first_s_(setup.date_first_s), date_last_s_(setup.date_last_s),
      store_(setup.chunks ? std::move(setup.chunks) : std::make_unique<MemoryChunks>(), setup.max_bytes) {
    fields_.emplace_back();
    components_.emplace_back(component);
    component_stack_.reserve(16);
    if (!make_room(read_ticks(clock_), 0)) throw std::bad_alloc();
    if (sliced_) pause(); // until the model's first date inside the slice
}

void Recorder::mark_gettime(std::uint32_t id, unsigned code) noexcept {
    store(read_ticks(ClockSource::gettime), id, code);
}

void Recorder::reject(int kind, int field) noexcept {
    if (static_cast<unsigned>(kind) >= static_cast<unsigned>(kind_count)) {
        if (problems_.unknown_kind++ == 0) problems_.first_bad_kind = kind;
    } else if (problems_.unknown_field++ == 0) {
        problems_.first_bad_field = field;
    }
}

bool Recorder::make_room(std::uint64_t ticks, std::ptrdiff_t words) noexcept {
    if (full_) return false;
    if (chunk_ != nullptr && chunk_ + chunk_words - cursor_ >= words) return true;
    // A source that is not at the bound but gives nothing has failed; memory is tried in its place once.
    Mark *next = store_.grow();
    if (next == nullptr && !store_.at_bound() && problems_.spool_failed == 0 && chunk_ != nullptr) {
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
        return false;
    }
    chunk_ = cursor_ = next;
    limit_ = chunk_ + chunk_words;
    // Each chunk can be read on its own: it begins with the absolute time.
    *cursor_++ = make_mark(0, 0, static_cast<unsigned>(MarkCode::time));
    *cursor_++ = ticks;
    last_ticks_ = ticks;
    return true;
}

void Recorder::append_words(std::uint64_t ticks, std::uint32_t id, MarkCode code, std::uint64_t extra) noexcept {
    if (!make_room(ticks, 4)) return;
    const std::uint64_t delta = ticks - last_ticks_;
    if ((delta >> mark_delta_bits) != 0) { // a long gap, or a clock that stepped back: delta is then huge
        *cursor_++ = make_mark(0, 0, static_cast<unsigned>(MarkCode::time));
        *cursor_++ = ticks;
        *cursor_++ = make_mark(0, id, static_cast<unsigned>(code));
    } else {
        *cursor_++ = make_mark(delta, id, static_cast<unsigned>(code));
    }
    if (extra_words(static_cast<unsigned>(code)) == 1) *cursor_++ = extra;
    last_ticks_ = ticks;
    if (paused_) limit_ = cursor_;
}

void Recorder::append_slow(std::uint64_t ticks, std::uint32_t id, unsigned code) noexcept {
    if (stopped_) return;
    if (paused_) {
        note_paused(code);
        return;
    }
    if (!make_room(ticks, 3)) {
        drop(ticks, code);
        return;
    }
    append_words(ticks, id, static_cast<MarkCode>(code), 0);
}

// An event counts as dropped at its begin; of one that began before the bound only the end is missing, and
// decoding takes it out and counts it.
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
    append_words(read_ticks(clock_), 0, MarkCode::date, static_cast<std::uint64_t>(seconds));
}

int Recorder::field(std::string_view name, std::string_view counterpart) {
    const std::string key = key_of(name, counterpart);
    if (!name.empty()) {
        if (const auto found = field_ids_.find(key); found != field_ids_.end()) return found->second;
    }
    if (fields_.size() > mark_max_id) return -1;
    fields_.push_back({std::string(name), std::string(counterpart)});
    const int id = static_cast<int>(fields_.size()) - 1;
    if (!name.empty()) field_ids_.emplace(key, id);
    field_count_ = static_cast<unsigned>(fields_.size());
    return id;
}

bool Recorder::set_field(int field, std::string_view name, std::string_view counterpart) {
    if (field < 1 || static_cast<std::size_t>(field) >= fields_.size()) return false;
    LocalField &f = fields_[static_cast<std::size_t>(field)];
    if (!name.empty()) f.name = name;
    if (!counterpart.empty()) f.counterpart = counterpart;
    return true;
}

void Recorder::component_begin(std::string_view name) {
    std::uint32_t index = 0;
    while (index < components_.size() && components_[index] != name)
        ++index;
    if (index > mark_max_id) return;
    if (index == components_.size()) components_.emplace_back(name);
    component_stack_.push_back(index);
    if (!stopped_) append_words(read_ticks(clock_), index, MarkCode::component_begin, 0);
}

bool Recorder::component_end() noexcept {
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
