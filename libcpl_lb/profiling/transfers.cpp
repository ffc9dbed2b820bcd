// Linear probing. Later entries move into an erased slot, so that no markers of erased slots pile up.
#include "profiling/transfers.hpp"

#include <utility>

namespace cpl_lb::profiling {

std::size_t Transfers::place_of(std::uint64_t key) const {
    std::size_t at = home(key);
    while (slots_[at].used && slots_[at].key != key)
        at = (at + 1) & mask_;
    return at;
}

Transfer *Transfers::find(std::uint64_t key) {
    if (count_ == 0) return nullptr;
    Slot &slot = slots_[place_of(key)];
    return slot.used ? &slot : nullptr;
}

void Transfers::insert(std::uint64_t key, Transfer transfer) {
    if (slots_.empty() || 2 * (count_ + 1) > mask_ + 1) grow();
    Slot &slot = slots_[place_of(key)];
    if (!slot.used) ++count_;
    slot.key = key;
    slot.used = true;
    static_cast<Transfer &>(slot) = std::move(transfer);
}

void Transfers::erase_slot(std::size_t hole) {
    if (!slots_[hole].used) return;
    --count_;
    for (std::size_t at = (hole + 1) & mask_; slots_[at].used; at = (at + 1) & mask_) {
        // An entry may move into the hole unless its home lies behind the hole.
        if (((at - home(slots_[at].key)) & mask_) < ((at - hole) & mask_)) continue;
        slots_[hole] = std::move(slots_[at]);
        hole = at;
    }
    slots_[hole].used = false;
    slots_[hole].communicator.reset();
}

void Transfers::grow() {
    std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : 2 * slots_.size()));
    mask_ = slots_.size() - 1;
    for (Slot &slot : old)
        if (slot.used) slots_[place_of(slot.key)] = std::move(slot);
}

} // namespace cpl_lb::profiling
