// Properties of the reader of ESMF's traces and of what is made of them, for any bytes:
// - nothing but a FileError or a std::runtime_error of one line; no crash, no hang;
// - no more calls than bytes, none ends before it begins, regions lie inside regions that came before;
// - events end where they begin or later, times away ascend and do not overlap, and the names make a catalogue.
// The bytes are the streams of several PETs, with "|PET|" between them.
#include "io/files/file_error.hpp"
#include "run/imported/esmf_mapping.hpp"
#include "run/imported/esmf_trace.hpp"

#include <cstdint>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace cpl_lb;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

std::vector<EsmfStream> streams_of(std::string_view bytes) {
    constexpr std::string_view between = "|PET|";
    std::vector<EsmfStream> streams;
    while (true) {
        const std::string_view one = bytes.substr(0, bytes.find(between));
        streams.push_back(read_esmf_stream("stream", std::as_bytes(std::span(one))));
        const EsmfStream &s = streams.back();
        require(s.calls.size() <= one.size() && s.regions.size() <= one.size());
        for (std::size_t i = 0; i < s.regions.size(); ++i)
            require(s.regions[i].parent == EsmfRegion::none || s.regions[i].parent < i);
        for (const EsmfCall &c : s.calls)
            require(c.region < s.regions.size() && (c.exit == absent || c.exit >= c.enter));
        if (one.size() == bytes.size()) return streams;
        bytes.remove_prefix(one.size() + between.size());
    }
}

void check(const MappedTrace &mapped) {
    std::vector<CatalogueEntry> entries;
    for (const MappedPet &pet : mapped.pets) {
        for (const MappedPart &part : pet.parts) {
            entries.insert(entries.end(), part.entries.begin(), part.entries.end());
            for (const MappedEvent &e : part.events)
                require(e.entry < part.entries.size() && e.start <= e.stop);
            for (std::size_t i = 0; i < part.away.size(); ++i) {
                require(part.away[i].start <= part.away[i].stop);
                require(i == 0 || part.away[i - 1].stop <= part.away[i].start);
            }
        }
    }
    static_cast<void>(make_catalogue(std::move(entries), {"OCN"}, {{0}}));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    try {
        const EsmfTrace trace = esmf_trace_of("folder", streams_of(bytes));
        check(map_esmf(trace.streams, compare_node_clocks(trace.streams)));
    } catch (const FileError &) {
    } catch (const std::runtime_error &error) {
        require(std::string_view(error.what()).find('\n') == std::string_view::npos);
    }
    return 0;
}
