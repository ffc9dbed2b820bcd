// The rows of a timeline for the page: by several threads at once where the file's format allows it.
#pragma once

#include "io/timeline/classic_rows.hpp"
#include "io/timeline/timeline_reader.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cpl_lb {

class TimelineRows {
public:
    // `reader` outlives this object. Throws FileError, like everything here.
    explicit TimelineRows(TimelineReader &reader);

    // The data that one thread keeps between its calls.
    struct Buffers {
        std::vector<Row> rows;
        ClassicRows::Buffer file;
    };
    // Whether several threads may read at once, each with buffers of its own.
    [[nodiscard]] bool shareable() const { return classic_.has_value(); }
    // Reads the first of these ascending processes, and those after it that cost no more: how many, at least one.
    // They are the first ones of buffers.rows. most_held: events x processes that may be held at once; at least one
    // row is.
    std::size_t read(std::span<const std::int64_t> processes, std::int64_t most_held, Buffers &buffers) const;
    // As the reader has it; any thread may ask where shareable().
    [[nodiscard]] bool has_inside() const { return reader_.has_inside(); }
    void read_inside(std::int64_t process, std::span<signed char> percent) const {
        reader_.read_inside(process, percent);
    }

private:
    TimelineReader &reader_;
    std::optional<ClassicRows> classic_;
};

} // namespace cpl_lb
