// Tells whether this process is inside an exchange. It reads the marks only when asked, so that begin() and end()
// need no extra work. Each mark is read once.
#pragma once

#include "events/marks.hpp"
#include "record/mark_store.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace cpl_lb {

class OpenExchanges {
public:
    // cursor: where the next mark goes, in the last chunk. The innermost open event counts: a mapping inside a PUT is
    // the coupler's work, and no exchange.
    [[nodiscard]] bool within(const MarkStore &store, const Mark *cursor) noexcept {
        if (cursor != read_to_) [[unlikely]]
            catch_up(store, cursor);
        return within_;
    }
    // The field of the PUT in which this process is; 0: it is in none.
    [[nodiscard]] int put_field(const MarkStore &store, const Mark *cursor) noexcept {
        if (cursor != read_to_) [[unlikely]]
            catch_up(store, cursor);
        return put_field_;
    }

private:
    void catch_up(const MarkStore &store, const Mark *cursor) noexcept;
    void read(const MarkRead &mark) noexcept;
    void begin(Mark what) noexcept;
    void end(Mark what) noexcept;

    const Mark *read_to_ = nullptr;
    bool within_ = false;
    int put_field_ = 0;
    MarkStore::Place place_;                // of the next mark to read
    static constexpr std::size_t most = 32; // more means forgotten ends: the outermost are left out
    std::array<Mark, most> open_{};         // kind and field, innermost last
    std::size_t depth_ = 0;
    std::uint32_t began_outside_ = 0; // events begun outside of a slice and still open, of unknown kinds
    bool paused_ = false;
};

} // namespace cpl_lb
