// Creates the spool file and maps its segments, so that a crash leaves a segment complete or not at all.
#include "record/spool.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::size_t names_bytes = std::size_t{16} << 10U;

// Beyond RLIMIT_FSIZE the system would raise SIGXFSZ in the model.
bool within_file_size_limit(std::size_t bytes) {
    rlimit limit{};
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur;
}

// Earlier writes reach the file first, also if the process is killed between two instructions, and also for a reader
// on processors that reorder stores.
void store_last(std::uint64_t &place, std::uint64_t value) {
    std::atomic_ref(place).store(value, std::memory_order_release);
}

} // namespace

std::string spool_path(const std::string &directory, std::string_view token, int rank) {
    return directory + "/cpl_lb_" + std::string(token) + '_' + std::to_string(rank) + ".spool";
}

SpoolChunks::SpoolChunks(std::string path, SpoolIdentity identity)
    : path_(std::move(path)),
      block_(std::max(spool_smallest_block, static_cast<std::size_t>(std::max(sysconf(_SC_PAGESIZE), 1L)))) {
    const auto fail = [&] {
        const int why = errno;
        if (file_.was_opened()) unlink(path_.c_str());
        end_ = 0;
        shrink_to_end();
        close_file();
        throw SpoolError(strerror(why)); // without the path: the same text on all processes
    };
    file_ =
        HeldDescriptor(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file_.was_opened()) fail();
    header_ = map_new(block_);
    if (header_.base == nullptr) fail();
    identity.block_bytes = static_cast<std::uint32_t>(block_);
    identity.chunk_words = chunk_words;
    identity.checksum = checksum_of(identity);
    token_hash_ = spool_checksum(identity.token.data(), identity.token.size());
    std::memcpy(header_.base, &identity, sizeof identity);
    names_ = new_segment(SpoolSegmentType::names, names_bytes - sizeof(SpoolSegment), name_segments_++);
    if (names_.base == nullptr) fail();
    names_used_ = sizeof(SpoolSegment);
    prepared_ = new_segment(SpoolSegmentType::marks, chunk_bytes, chunks_++);
    if (prepared_.base == nullptr) fail();
}

SpoolChunks::~SpoolChunks() {
    close_file();
}

void SpoolChunks::close_file() noexcept {
    for (Mapping *m : {&header_, &names_, &prepared_}) {
        if (m->base != nullptr) munmap(m->base, m->bytes);
        *m = {};
    }
    file_.close();
}

// What a full disk has given in part is given back.
void SpoolChunks::shrink_to_end() noexcept {
    const int why = errno;
    if (file_.is_ours() && ftruncate(file_.number(), static_cast<off_t>(end_)) != 0) errno = 0;
    errno = why;
}

void SpoolChunks::remove_file() noexcept {
    if (!path_.empty()) unlink(path_.c_str());
    path_.clear();
}

SpoolStatus &SpoolChunks::status() noexcept {
    return *reinterpret_cast<SpoolStatus *>(header_.base + spool_status_offset);
}

SpoolChunks::Mapping SpoolChunks::map_new(std::size_t bytes) noexcept {
    bytes = round_up(bytes, block_);
    if (!within_file_size_limit(end_ + bytes)) {
        errno = EFBIG;
        return {};
    }
    if (!file_.is_ours() && !file_.open_again(path_.c_str(), O_RDWR)) {
        errno = EBADF;
        return {};
    }
    int error = EINTR;
    while (error == EINTR)
        error = posix_fallocate(file_.number(), static_cast<off_t>(end_), static_cast<off_t>(bytes));
    errno = error;
    void *p = MAP_FAILED;
    if (error == 0)
        p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), static_cast<off_t>(end_));
    if (p == MAP_FAILED) {
        shrink_to_end();
        return {};
    }
    end_ += bytes;
    return {static_cast<std::byte *>(p), bytes};
}

SpoolChunks::Mapping SpoolChunks::new_segment(SpoolSegmentType type, std::size_t payload_bytes,
                                              std::uint64_t ordinal) noexcept {
    const Mapping m = map_new(sizeof(SpoolSegment) + payload_bytes);
    if (m.base == nullptr) return {};
    SpoolSegment segment;
    segment.type = static_cast<std::uint32_t>(type);
    segment.payload_bytes = payload_bytes;
    segment.ordinal = ordinal;
    segment.token_hash = token_hash_;
    segment.checksum = checksum_of(segment);
    std::memcpy(m.base, &segment, sizeof segment);
    return m;
}

void SpoolChunks::seal() noexcept {
    if (current_.base == nullptr) return;
    auto &segment = *reinterpret_cast<SpoolSegment *>(current_.base);
    segment.payload_checksum = spool_checksum(current_.base + sizeof(SpoolSegment), chunk_bytes);
    store_last(segment.sealed, spool_sealed);
    current_ = {};
}

bool SpoolChunks::file_is_gone() const noexcept {
    struct stat found {};
    if (!file_.was_opened() || path_.empty()) return false;
    if (!file_.is_ours()) return !file_.is_at(path_.c_str());
    return fstat(file_.number(), &found) != 0 || found.st_nlink == 0;
}

Mark *SpoolChunks::allocate() noexcept {
    seal();
    // More of a removed file could not be read by anybody: memory serves as well, and the user is told.
    if (prepared_.base != nullptr)
        current_ = std::exchange(prepared_, {});
    else if (!file_is_gone())
        current_ = new_segment(SpoolSegmentType::marks, chunk_bytes, chunks_++);
    if (current_.base == nullptr) {
        status().flags |= spool_flag_to_memory;
        return nullptr;
    }
    return reinterpret_cast<Mark *>(current_.base + sizeof(SpoolSegment));
}

void SpoolChunks::release(Mark *chunk) noexcept {
    std::byte *base = reinterpret_cast<std::byte *>(chunk) - sizeof(SpoolSegment);
    if (base == current_.base) current_ = {};
    munmap(base, round_up(sizeof(SpoolSegment) + chunk_bytes, block_));
}

void SpoolChunks::write_name(SpoolName record, std::string_view first, std::string_view second) noexcept {
    record.first_bytes = static_cast<std::uint32_t>(first.size());
    record.second_bytes = static_cast<std::uint32_t>(second.size());
    record.checksum = checksum_of(record, first, second);
    const std::size_t bytes = round_up(sizeof record + first.size() + second.size(), 8);
    if (names_.base == nullptr || names_used_ + bytes > names_.bytes) {
        const std::size_t payload = std::max(names_bytes - sizeof(SpoolSegment), bytes);
        const Mapping next = new_segment(SpoolSegmentType::names, payload, name_segments_);
        if (next.base == nullptr) return; // a recovery will not know this name
        ++name_segments_;
        if (names_.base != nullptr) munmap(names_.base, names_.bytes);
        names_ = next;
        names_used_ = sizeof(SpoolSegment);
    }
    std::byte *at = names_.base + names_used_;
    std::memcpy(at + sizeof record, first.data(), first.size());
    std::memcpy(at + sizeof record + first.size(), second.data(), second.size());
    // The first word has the type; without it there is no record.
    std::uint64_t first_word = 0;
    std::memcpy(&first_word, &record, sizeof first_word);
    std::memcpy(at + sizeof first_word, reinterpret_cast<const std::byte *>(&record) + sizeof first_word,
                sizeof record - sizeof first_word);
    store_last(*reinterpret_cast<std::uint64_t *>(at), first_word);
    names_used_ += bytes;
}

void SpoolChunks::name_component(std::uint32_t index, std::string_view name) noexcept {
    SpoolName record;
    record.type = static_cast<std::uint32_t>(SpoolNameType::component);
    record.id = index;
    write_name(record, name, {});
}

void SpoolChunks::name_field(std::uint32_t id, std::string_view name, std::string_view counterpart) noexcept {
    SpoolName record;
    record.type = static_cast<std::uint32_t>(SpoolNameType::field);
    record.id = id;
    write_name(record, name, counterpart);
}

void SpoolChunks::bound_reached(std::uint64_t ticks) noexcept {
    if (status().first_drop_ticks != 0) return;
    status().first_drop_ticks = ticks;
    status().flags |= spool_flag_full;
}

void SpoolChunks::planned_length(double seconds) noexcept {
    status().planned_s = seconds;
}

void SpoolChunks::threads_per_processor(double of_the_run) noexcept {
    status().threads_per_processor = of_the_run;
}

void SpoolChunks::inside_is_summed() noexcept {
    status().flags |= spool_flag_inside;
}

void SpoolChunks::lost_processor(double times_per_s) noexcept {
    status().switches_per_s = times_per_s;
    store_last(status().flags, status().flags | spool_flag_switches);
}

} // namespace cpl_lb
