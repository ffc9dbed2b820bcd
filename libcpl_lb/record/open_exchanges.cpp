// Follows the rules of events/decode.hpp: an end closes the innermost open event of its kind and field.
#include "record/open_exchanges.hpp"

#include "data/kinds.hpp"

#include <algorithm>

namespace cpl_lb {
namespace {

// The mark of a begin without its time. The mark of an end has the same field and another code.
Mark what_of(unsigned kind, std::uint32_t field) {
    return make_mark(0, field, kind);
}

} // namespace

void OpenExchanges::catch_up(const MarkStore &store, const Mark *cursor) noexcept {
    store.read_on(place_, [this](const MarkRead &mark, std::uint64_t /*ticks*/) { read(mark); });
    read_to_ = cursor;
    within_ = depth_ > 0 ? is_exchange(static_cast<Kind>(code_of(open_[depth_ - 1]))) : began_outside_ > 0;
    within_ = within_ || paused_;
    const bool in_put = depth_ > 0 && !paused_ && static_cast<Kind>(code_of(open_[depth_ - 1])) == Kind::put;
    put_field_ = in_put ? static_cast<int>(id_of(open_[depth_ - 1])) : 0;
}

void OpenExchanges::read(const MarkRead &mark) noexcept {
    if (is_begin(mark.code)) return begin(what_of(mark.code - begin_code(0), mark.id));
    if (is_end(mark.code)) return end(what_of(mark.code - end_code(0), mark.id));
    const auto code = static_cast<MarkCode>(mark.code);
    if (code != MarkCode::pause && code != MarkCode::resume) return;
    paused_ = code == MarkCode::pause;
    depth_ = 0; // an event that is not wholly inside the slice is not part of it
    began_outside_ = mark.id;
}

void OpenExchanges::begin(Mark what) noexcept {
    if (depth_ == most) {
        std::copy(open_.begin() + 1, open_.end(), open_.begin());
        --depth_;
    }
    open_[depth_++] = what;
}

void OpenExchanges::end(Mark what) noexcept {
    for (std::size_t i = depth_; i-- > 0;) {
        if (open_[i] != what) continue;
        std::copy(open_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                  open_.begin() + static_cast<std::ptrdiff_t>(depth_),
                  open_.begin() + static_cast<std::ptrdiff_t>(i));
        --depth_;
        return;
    }
    if (began_outside_ > 0) --began_outside_;
}

} // namespace cpl_lb
