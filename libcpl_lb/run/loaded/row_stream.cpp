// Two blocks of rows take turns: a thread reads one while the caller works on the other.
#include "run/loaded/row_stream.hpp"

#include <algorithm>
#include <array>
#include <future>
#include <span>
#include <system_error>
#include <vector>

namespace cpl_lb {
namespace {

constexpr std::int64_t block_values = 131'072; // short rows are read many at a time

struct Block {
    std::vector<Row> rows;
    std::size_t used = 0;
};

std::int64_t rows_in_block(const TimelineReader &reader) {
    const std::int64_t wanted = std::clamp<std::int64_t>(block_values / (reader.events() + 1), 1, 1024);
    const std::int64_t together = reader.block_rows(); // whole chunks of compressed files
    return std::min((wanted + together - 1) / together * together, reader.processes());
}

void read(TimelineReader &reader, std::int64_t first, Block &block) {
    const std::int64_t left = std::max<std::int64_t>(reader.processes() - first, 0);
    block.used = static_cast<std::size_t>(std::min(left, static_cast<std::int64_t>(block.rows.size())));
    reader.read_rows(first, std::span(block.rows).first(block.used));
}

// Reads in a thread of its own, or later in this one if the system gives none. Only one thread at a time uses netCDF.
std::future<void> read_ahead(TimelineReader &reader, std::int64_t first, Block &block) {
    const auto task = [&reader, first, &block] { read(reader, first, block); };
    try {
        return std::async(std::launch::async, task);
    } catch (const std::system_error &) {
        return std::async(std::launch::deferred, task);
    }
}

} // namespace

void for_each_row(TimelineReader &reader, const Progress &progress, const std::function<void(const Row &)> &each) {
    const std::int64_t height = rows_in_block(reader);
    std::array<Block, 2> blocks;
    for (Block &block : blocks)
        block.rows.resize(static_cast<std::size_t>(height));
    std::future<void> next = read_ahead(reader, 0, blocks[0]);
    for (std::int64_t first = 0; first < reader.processes(); first += height) {
        next.get(); // rethrows what the reading threw
        const Block &now = blocks[static_cast<std::size_t>(first / height % 2)];
        next = read_ahead(reader, first + height, blocks[static_cast<std::size_t>((first / height + 1) % 2)]);
        for (std::size_t r = 0; r < now.used; ++r)
            each(now.rows[r]);
        if (progress) progress(first + height, reader.processes());
    }
    next.get();
}

} // namespace cpl_lb
