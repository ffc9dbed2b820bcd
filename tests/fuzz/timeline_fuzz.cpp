// Properties of the reader of timelines, for any bytes:
// - it either reads them or throws a FileError; nothing else, no crash, no hang;
// - what it allocates is bounded by the file's size times a constant: the file holds all times that it announces;
// - every row has as many times as there are events, starts and stops are absent together, no event ends before it
//   starts, and every id has a kind, a field and a component that an analysis may use as an index;
// - pieces of a grid are inside it, and each process has a list of them or none has.
#include "io/files/file_error.hpp"
#include "io/timeline/timeline_reader.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace cpl_lb;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

void check_row(const Row &row, std::size_t events) {
    require(row.start.size() == events && row.stop.size() == events);
    for (std::size_t k = 0; k < events; ++k) {
        require((row.start[k] == absent) == (row.stop[k] == absent));
        require(row.start[k] <= row.stop[k]);
    }
    for (const Interval &away : row.away)
        require(away.start <= away.stop);
}

bool is_in(const GridPiece &piece, const std::array<std::int64_t, 2> &size) {
    return piece.first[0] >= 1 && piece.first[1] >= 1 && piece.count[0] >= 0 && piece.count[1] >= 0 &&
           piece.count[0] <= size[0] - piece.first[0] + 1 && piece.count[1] <= size[1] - piece.first[1] + 1;
}

void check_pieces(const ProcessFigures &figures, std::size_t processes) {
    require(figures.parts.empty() || figures.parts.size() == processes);
    for (const GridPart &part : figures.parts) {
        require(part.pieces.empty() || part.given());
        require(part.pieces.size() <= most_pieces);
        for (const GridPiece &piece : part.pieces)
            require(is_in(piece, part.size));
    }
}

void check(const std::string &path, std::size_t bytes) {
    TimelineReader reader(path);
    const auto events = static_cast<std::size_t>(reader.events());
    const auto processes = static_cast<std::size_t>(reader.processes());
    require(reader.header().keys.size() == events);
    require(processes <= 1100 * bytes && (events == 0 || events <= 1100 * bytes / processes));
    for (const EventKey &key : reader.header().keys.all()) {
        require(static_cast<int>(key.kind) < kind_count);
        require(key.field >= 0 && key.field <= 100'000 && key.counterpart >= 0 && key.counterpart <= 100'000);
    }
    check_pieces(reader.header().figures, processes);
    std::array<Row, 3> rows;
    for (std::size_t first = 0; first < std::min<std::size_t>(processes, 9); first += rows.size()) {
        const std::size_t count = std::min(rows.size(), processes - first);
        reader.read_rows(static_cast<std::int64_t>(first), std::span(rows).first(count));
        for (std::size_t r = 0; r < count; ++r)
            check_row(rows[r], events);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    // A file in memory: netCDF reads from a path.
    static const int file = ::memfd_create("timeline", MFD_CLOEXEC);
    static const std::string path = "/proc/self/fd/" + std::to_string(file);
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) return 0;
    try {
        check(path, size);
    } catch (const FileError &) {
        return 0;
    }
    return 0;
}
