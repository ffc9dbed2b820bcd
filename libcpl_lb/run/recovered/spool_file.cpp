// Opens a spool file, checks its header, and reads its marks and names.
#include "run/recovered/spool_file.hpp"

#include "io/files/file_error.hpp"
#include "run/united/unite_component.hpp"
#include "support/clock.hpp"
#include "support/counted.hpp"
#include "support/fmt.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fcntl.h>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

namespace cpl_lb {
namespace {

// Lost names (a full disk) must not make their marks unreadable. Numbers are given in order, so a number far above
// the count of names does not come from a recorder.
constexpr std::size_t most_unnamed_components = 64;
constexpr std::size_t most_unnamed_fields = 4096;
// Decoding keeps tables for each component that the marks enter, with places for each field (events/fast_paths.hpp).
constexpr double table_bytes_of_field = 128;
constexpr std::uint64_t largest_payload = std::uint64_t{1} << 40U;

FileHandle open_file(const std::string &path) {
    // Opened without blocking: a pipe of that name must not hold us up.
    FileHandle file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    if (file.descriptor() < 0) throw FileError(path, std::string("cannot read: ") + strerror(errno));
    return file;
}

template <class T>
bool read_one(int descriptor, std::uint64_t place, T &to) {
    return read_at(descriptor, place, std::as_writable_bytes(std::span(&to, 1))) == sizeof to;
}

bool within(std::int64_t value, std::int64_t least, std::int64_t most) {
    return value >= least && value <= most;
}

// Why a header cannot be right; empty: it can.
std::string what_is_wrong(const SpoolIdentity &id) {
    if (id.magic != spool_magic) return "not a spool file of cpl_lb";
    if (id.byte_order != spool_byte_order) return "written on a machine of another byte order";
    if (id.version < 1 || id.version > spool_version)
        return fmt::format("version {} of the spool format, this cpl-lb reads 1 to {}", id.version, spool_version);
    if (id.checksum != checksum_of(id)) return "its header is damaged";
    const bool block = within(id.block_bytes, spool_smallest_block, spool_largest_block) &&
                       (id.block_bytes & (id.block_bytes - 1)) == 0;
    const bool numbers = within(id.chunk_words, 16, 1 << 20) && within(id.size, 1, 1 << 26) &&
                         within(id.rank, 0, id.size - 1) && within(id.threads, 1, 1'000'000) &&
                         within(id.component_processes, 1, id.size) && within(id.nodes, 1, id.size) &&
                         within(id.node, 0, id.nodes - 1) &&
                         id.clock_source <= static_cast<std::uint32_t>(ClockSource::generic_timer);
    if (!block || !numbers) return "its header makes no sense";
    return {};
}

bool is_segment(const SpoolSegment &segment, std::uint64_t token_hash) {
    return segment.magic == spool_segment_magic && segment.checksum == checksum_of(segment) &&
           segment.token_hash == token_hash;
}

bool is_blank(const SpoolSegment &segment) {
    return segment.magic == 0 && segment.type == 0 && segment.checksum == 0 && segment.payload_bytes == 0;
}

} // namespace

struct SpoolFile::Names {
    std::map<std::uint32_t, std::string> components;
    std::map<std::uint32_t, LocalField> fields;
};

void bring_up_to_date(std::span<Mark> words, std::uint32_t version) {
    constexpr unsigned date_of_version_1 = 12;
    if (version != 1) return;
    std::size_t i = 0;
    while (i < words.size() && words[i] != 0) {
        if (code_of(words[i]) == date_of_version_1)
            words[i] = make_mark(delta_of(words[i]), id_of(words[i]), static_cast<unsigned>(MarkCode::date));
        i += 1 + extra_words(code_of(words[i]));
    }
}

std::size_t plausible_words(std::span<const Mark> words) {
    std::uint64_t now = 0;
    std::size_t i = 0;
    while (i < words.size() && words[i] != 0) {
        const unsigned code = code_of(words[i]);
        const auto extra = extra_words(code);
        const bool known = is_begin(code) || is_end(code) || within(code, 13, 19);
        if (!known || i + extra >= words.size()) return i;
        if (code == static_cast<unsigned>(MarkCode::time)) {
            if (words[i + 1] < now) return i;
            now = words[i + 1];
        }
        now += delta_of(words[i]);
        i += 1 + extra;
    }
    return i;
}

SpoolFile::SpoolFile(std::string path) : path_(std::move(path)) {
    const FileHandle file = open_file(path_);
    struct stat about {};
    if (fstat(file.descriptor(), &about) != 0 || !S_ISREG(about.st_mode)) throw FileError(path_, "not a file");
    size_ = static_cast<std::uint64_t>(about.st_size);
    read_header(file.descriptor());
    read_segments(file.descriptor());
    refuse_more_than_it_supports();
}

void SpoolFile::read_header(int descriptor) {
    if (size_ == 0) throw FileError(path_, "empty");
    if (!read_one(descriptor, 0, identity_)) throw FileError(path_, "too short for a spool file");
    if (const std::string wrong = what_is_wrong(identity_); !wrong.empty()) throw FileError(path_, wrong);
    if (!(as_figure(identity_.year_days) > 0)) identity_.year_days = 365.0;
    constexpr std::int64_t most_cores = std::int64_t{1} << 40U;
    if (identity_.cores > most_cores) identity_.cores = 0;
    if (!read_one(descriptor, spool_status_offset, status_)) status_ = {};
    if (!is_known(as_figure(status_.planned_s))) status_.planned_s = 0;
    const auto possible = [](double x) { return as_figure(x) >= 0; };
    if (!possible(status_.threads_per_processor)) status_.threads_per_processor = 0;
    if (!possible(status_.switches_per_s)) status_.flags &= ~spool_flag_switches;
}

void SpoolFile::read_segments(int descriptor) {
    Names names;
    const std::uint64_t block = identity_.block_bytes;
    const std::uint64_t token_hash = spool_checksum(identity_.token.data(), identity_.token.size());
    bool lost_track = false;
    std::uint64_t offset = block;
    while (offset + sizeof(SpoolSegment) <= size_) {
        SpoolSegment segment;
        if (!read_one(descriptor, offset, segment)) break;
        if (!is_segment(segment, token_hash) || segment.payload_bytes > largest_payload) {
            // A segment was begun when the process died, or its header is damaged: the next one is searched for.
            if (!is_blank(segment) && !lost_track) damage_.emplace_back("a damaged segment was skipped");
            lost_track = true;
            const off_t data = lseek(descriptor, static_cast<off_t>(offset + block), SEEK_DATA);
            if (data < 0 && errno == ENXIO) break; // nothing but a hole to the end
            offset = data < 0
                         ? offset + block
                         : std::max<std::uint64_t>(offset + block, static_cast<std::uint64_t>(data) / block * block);
            continue;
        }
        lost_track = false;
        const std::uint64_t payload = offset + sizeof segment;
        if (segment.type == static_cast<std::uint32_t>(SpoolSegmentType::names))
            read_names(descriptor, payload, std::min(segment.payload_bytes, size_ - payload), names);
        if (segment.type == static_cast<std::uint32_t>(SpoolSegmentType::marks))
            read_marks(descriptor, payload, segment);
        offset += round_up(sizeof segment + segment.payload_bytes, block);
    }
    take_names(names);
    if (lost_chunks_ > 0) {
        damage_.push_back(fmt::format("the events from chunk {} on are lost ({} of {})", chunks_.size() + 1,
                                      lost_chunks_,
                                      counted(chunks_.size() + static_cast<std::size_t>(lost_chunks_), "chunk")));
    }
}

void SpoolFile::read_names(int descriptor, std::uint64_t offset, std::uint64_t bytes, Names &names) {
    std::vector<char> buffer(bytes);
    buffer.resize(read_at(descriptor, offset, std::as_writable_bytes(std::span(buffer))));
    std::size_t at = 0;
    SpoolName record;
    while (at + sizeof record <= buffer.size()) {
        std::memcpy(&record, buffer.data() + at, sizeof record);
        if (record.type == 0) return;
        const std::size_t texts = std::size_t{record.first_bytes} + record.second_bytes;
        const bool fits = texts <= buffer.size() - at - sizeof record;
        const char *text = buffer.data() + at + sizeof record;
        const std::string_view first(text, fits ? record.first_bytes : 0);
        const std::string_view second(text + first.size(), fits ? record.second_bytes : 0);
        if (!fits || record.checksum != checksum_of(record, first, second)) {
            damage_.emplace_back("some names are damaged");
            return;
        }
        if (record.id <= mark_max_id && record.type == static_cast<std::uint32_t>(SpoolNameType::component))
            names.components[record.id] = first;
        if (record.id <= mark_max_id && record.type == static_cast<std::uint32_t>(SpoolNameType::field))
            names.fields[record.id] = {std::string(first), std::string(second)};
        at += round_up(sizeof record + texts, 8);
    }
}

void SpoolFile::read_marks(int descriptor, std::uint64_t offset, const SpoolSegment &segment) {
    const std::uint64_t there = std::min(segment.payload_bytes, size_ - offset);
    const bool usable = !chunk_missing_ && segment.ordinal == chunks_.size() &&
                        segment.payload_bytes == identity_.chunk_words * sizeof(Mark);
    if (!usable) {
        chunk_missing_ = true;
        ++lost_chunks_;
        return;
    }
    std::vector<Mark> words(there / sizeof(Mark));
    words.resize(read_at(descriptor, offset, std::as_writable_bytes(std::span(words))) / sizeof(Mark));
    if (there < segment.payload_bytes) damage_.emplace_back("the file is cut off");
    const bool sealed = segment.sealed == spool_sealed && there == segment.payload_bytes;
    if (sealed && spool_checksum(words.data(), words.size() * sizeof(Mark)) != segment.payload_checksum) {
        damage_.push_back(fmt::format("chunk {} is damaged", chunks_.size() + 1));
        chunk_missing_ = true;
        ++lost_chunks_;
        return;
    }
    bring_up_to_date(words, identity_.version);
    const std::size_t good = sealed ? words.size() : plausible_words(words);
    note_numbers(std::span(words).first(good));
    if (good < words.size() && words[good] != 0) {
        damage_.push_back(fmt::format("chunk {} is damaged in the middle", chunks_.size() + 1));
        chunk_missing_ = true;
    }
    chunks_.push_back({offset, good});
}

void SpoolFile::note_numbers(std::span<const Mark> words) {
    std::uint64_t ticks = 0;
    for (MarkRead mark; !words.empty() && words[0] != 0 && next_mark(words, ticks, mark);) {
        if (mark.code == static_cast<unsigned>(MarkCode::component_begin)) entered_.insert(mark.id);
        if (is_begin(mark.code)) largest_field_ = std::max(largest_field_, mark.id);
    }
}

void SpoolFile::take_names(const Names &names) {
    std::size_t left_out = 0;
    // A recorder gives the numbers one after the other, each with a record.
    const auto size_of = [&](const auto &map, std::size_t most_unnamed) {
        const std::size_t most =
            std::min<std::size_t>(map.size() + most_unnamed, 1 + size_ / sizeof(SpoolName)); // their names are lost
        const auto end = map.lower_bound(static_cast<std::uint32_t>(most));
        left_out += static_cast<std::size_t>(std::distance(end, map.end()));
        return end == map.begin() ? std::size_t{1} : std::prev(end)->first + std::size_t{1};
    };
    components_.resize(size_of(names.components, most_unnamed_components));
    for (const auto &[index, name] : names.components)
        if (index < components_.size()) components_[index] = name;
    if (components_[0].empty()) components_[0] = text_of(identity_.component);
    if (components_[0].empty()) components_[0] = "(component 0)";
    fields_.resize(size_of(names.fields, most_unnamed_fields));
    for (const auto &[id, field] : names.fields)
        if (id > 0 && id < fields_.size()) fields_[id] = field;
    if (left_out > 0) damage_.emplace_back("names with numbers that no recorder gives were left out");
}

std::size_t SpoolFile::component_numbers() const {
    const auto end = entered_.lower_bound(static_cast<std::uint32_t>(components_.size() + most_unnamed_components));
    const std::size_t by_marks = end == entered_.begin() ? 0 : *std::prev(end) + std::size_t{1};
    return std::max(components_.size(), by_marks);
}

std::uint32_t SpoolFile::field_numbers() const {
    const std::size_t by_marks =
        std::min<std::size_t>(largest_field_ + std::size_t{1}, fields_.size() + most_unnamed_fields);
    return static_cast<std::uint32_t>(std::max(fields_.size(), by_marks));
}

void SpoolFile::refuse_more_than_it_supports() const {
    const std::size_t components = std::min(entered_.size() + 1, component_numbers());
    const double tables = static_cast<double>(components) * field_numbers() * table_bytes_of_field;
    if (tables > bytes_supported_by(size_))
        throw FileError(path_, fmt::format("{} components with field numbers below {} are more than {} bytes support",
                                           components, field_numbers(), size_));
}

SpoolFile::Reader::Reader(const SpoolFile &file) : file_(file), opened_(open_file(file.path())) {}

std::span<const Mark> SpoolFile::Reader::chunk(std::size_t i) {
    const Chunk &chunk = file_.chunks_[i];
    // One more word, a zero, ends the marks: the file may have changed meanwhile.
    words_.assign(chunk.words + 1, 0);
    static_cast<void>(
        read_at(opened_.descriptor(), chunk.offset, std::as_writable_bytes(std::span(words_).first(chunk.words))));
    bring_up_to_date(words_, file_.identity_.version);
    return words_;
}

} // namespace cpl_lb
