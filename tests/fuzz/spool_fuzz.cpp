// Properties of the reader of spool files and of the decoder, for any bytes:
// - a file is either read or refused with a FileError; nothing else, no crash, no hang;
// - there are no more events than words, every start and stop lies within 2^62 ns, no stop before its start;
// - its names and events can be put together with those of other processes.
// The checksum of the header would stop nearly all inputs there, so it is put right first, and those of the segments.
#include "io/files/file_error.hpp"
#include "run/recovered/recovered_process.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace cpl_lb;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

void put_right(std::vector<std::uint8_t> &bytes) {
    SpoolIdentity id;
    if (bytes.size() < sizeof id || (bytes[8] & 0x80U) != 0) return;
    std::memcpy(&id, bytes.data(), sizeof id);
    id.checksum = checksum_of(id);
    std::memcpy(bytes.data(), &id, sizeof id);
    const std::uint64_t token_hash = spool_checksum(id.token.data(), id.token.size());
    SpoolSegment segment;
    for (std::size_t at = spool_smallest_block; at + sizeof segment <= bytes.size(); at += spool_smallest_block) {
        std::memcpy(&segment, bytes.data() + at, sizeof segment);
        if (segment.magic != spool_segment_magic) continue;
        segment.token_hash = token_hash;
        segment.checksum = checksum_of(segment);
        std::memcpy(bytes.data() + at, &segment, sizeof segment);
    }
}

void check(const std::string &path, std::size_t bytes) {
    const SpoolFile file(path);
    const RecoveredProcess process = recover_process(file);
    constexpr Nanoseconds farthest = std::int64_t{1} << 62;
    std::vector<CatalogueEntry> entries;
    std::size_t events = 0;
    for (std::size_t c = 0; c < process.decoded.components.size(); ++c) {
        const LocalTimeline &t = process.decoded.components[c];
        events += t.size();
        require(t.start.size() == t.size() && t.stop.size() == t.size());
        for (std::size_t i = 0; i < t.size(); ++i)
            require(t.start[i] > -farthest && t.start[i] <= t.stop[i] && t.stop[i] < farthest);
        const ComponentPart part = part_of(file, process, c);
        entries.insert(entries.end(), part.entries.begin(), part.entries.end());
    }
    require(events <= bytes / sizeof(Mark));
    const Catalogue catalogue = make_catalogue(entries, {"ocean"}, {{0}});
    for (std::size_t c = 0; c < process.decoded.components.size(); ++c)
        require(events_of(file, process, c, catalogue, 0).size() == process.decoded.components[c].size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    std::vector<std::uint8_t> bytes(data, data + size);
    put_right(bytes);
    const int file = memfd_create("spool", MFD_CLOEXEC);
    if (file < 0 || write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) return 0;
    try {
        check("/proc/self/fd/" + std::to_string(file), bytes.size());
    } catch (const FileError &) { // refused
    }
    close(file);
    return 0;
}
