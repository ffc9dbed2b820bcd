// A number in a file of /sys that is read again and again, and what it counted since it was opened.
#pragma once

#include "meters/small_file.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// A hardware counter that starts again at 0 after `range`, as a running total.
class WrapCounter {
public:
    enum class Step : std::uint8_t { counted, wrapped, skipped };

    WrapCounter() = default;
    // range 0: not known.
    WrapCounter(std::uint64_t first, std::uint64_t range) noexcept : last_(first), range_(range) {}

    // skipped: it went back, and its increase before that is unknown. This interval is not in total().
    Step advance(std::uint64_t raw) noexcept {
        const std::uint64_t before = last_;
        last_ = raw;
        if (raw >= before) {
            total_ += raw - before;
            return Step::counted;
        }
        if (range_ == 0 || before > range_) return Step::skipped;
        total_ += raw + (range_ - before);
        return Step::wrapped;
    }
    // Goes on from `raw`. The counts since the last reading are not in total().
    void start_from(std::uint64_t raw) noexcept { last_ = raw; }
    [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

private:
    std::uint64_t last_ = 0, range_ = 0, total_ = 0;
};

class CounterFile {
public:
    // The number in a text of the file; nothing: that is no such number.
    using Parse = std::optional<std::uint64_t> (*)(std::string_view text) noexcept;

    enum class Opened : std::uint8_t { works, not_there, refused };
    // refused: *why says what is wrong; `wanted` is what the text should have been ("number of joules (J)").
    [[nodiscard]] Opened open(const std::string &path, OpenFile open_file, Parse parse, std::string_view wanted,
                              std::string *why);
    [[nodiscard]] int error() const noexcept { return error_; } // the errno of what refused; 0: the text is wrong
    [[nodiscard]] std::uint64_t first() const noexcept { return first_; }
    // It starts again at 0 after so much; 0: not known.
    void set_range(std::uint64_t range) noexcept { sum_ = WrapCounter(first_, range); }
    // The file was removed since, and no other one has come.
    [[nodiscard]] bool is_gone() const noexcept { return file_.removed() && !file_.reopen(); }
    // Nothing: it cannot be read now; errno may say why.
    [[nodiscard]] std::optional<std::uint64_t> read() const noexcept;

    // The sum since open(), with this reading. One that went back is not in it.
    std::uint64_t count(std::uint64_t raw) noexcept;
    // The counter began anew, whatever it says now: what was lost before is not in the sum.
    std::uint64_t count_anew(std::uint64_t raw) noexcept;
    [[nodiscard]] std::uint64_t total() const noexcept { return sum_.total(); }
    [[nodiscard]] std::int64_t skipped() const noexcept { return skipped_; }

private:
    KeptFile file_;
    Parse parse_ = parse_number;
    WrapCounter sum_;
    int error_ = 0;
    std::uint64_t first_ = 0;
    std::int64_t skipped_ = 0; // intervals that are not in the sum
};

// The remarks of counters that could not be opened, and of those that started again.
[[nodiscard]] std::vector<std::string> no_energy_of(const std::vector<std::string> &refused);
[[nodiscard]] std::string started_again(std::string_view counter, std::int64_t times);

} // namespace cpl_lb
