// Memory for marks: chunks that never move, the first there from the start, the others as the run needs them.
#pragma once

#include "record/marks.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace cpl_lb {

inline constexpr std::size_t chunk_words = std::size_t{1} << 16;       // 512 KiB: 32,768 events
inline constexpr std::size_t large_chunk_words = std::size_t{1} << 18; // 2 MiB, a large page

// Where chunks come from: memory, or a file that survives a crash (spool.hpp).
class ChunkSource {
public:
    ChunkSource() = default;
    ChunkSource(const ChunkSource &) = delete;
    ChunkSource &operator=(const ChunkSource &) = delete;
    virtual ~ChunkSource() = default;
    // chunk_words zeroed words, or as many times that as fits into `most`; none when there is no room. Never throws.
    [[nodiscard]] virtual std::span<Mark> allocate(std::size_t most) noexcept = 0;
    virtual void release(std::span<Mark> chunk) noexcept = 0;

    // For those that survive a crash; the others need not know. Not on the hot path.
    [[nodiscard]] virtual bool survives() const noexcept { return false; }
    virtual void name_component(std::uint32_t /*index*/, std::string_view /*name*/) noexcept {}
    virtual void name_field(std::uint32_t /*id*/, std::string_view /*name*/,
                            std::string_view /*counterpart*/) noexcept {}
    virtual void bound_reached(std::uint64_t /*ticks*/) noexcept {}
    virtual void planned_length(double /*seconds*/) noexcept {}
    virtual void remove_file() noexcept {}
};

// A short run holds no more than it needs: only after the first chunks come large pages, which the system gives and
// takes back much faster.
class MemoryChunks final : public ChunkSource {
public:
    [[nodiscard]] std::span<Mark> allocate(std::size_t most) noexcept override;
    void release(std::span<Mark> chunk) noexcept override;

private:
    std::size_t words_ = 0; // given so far
};

class MarkStore {
public:
    // max_bytes: bound on all chunks; at least one chunk is always allowed.
    MarkStore(std::unique_ptr<ChunkSource> source, std::size_t max_bytes);
    ~MarkStore();
    MarkStore(const MarkStore &) = delete;
    MarkStore &operator=(const MarkStore &) = delete;

    // The next chunk, or none at the bound (at_bound) or when memory ran out.
    [[nodiscard]] std::span<Mark> grow() noexcept;
    // After a failure of the source: chunks come from here from now on.
    void replace_source(std::unique_ptr<ChunkSource> source);
    // The one that the store began with: it goes on to learn names after a failure.
    [[nodiscard]] ChunkSource &first_source() { return *sources_.front(); }
    [[nodiscard]] bool at_bound() const { return words_ + chunk_words > max_words_; }
    [[nodiscard]] std::size_t chunk_count() const { return chunks_.size(); }
    [[nodiscard]] std::span<const Mark> chunk(std::size_t i) const { return chunks_[i].words; }
    [[nodiscard]] std::size_t bytes() const { return words_ * sizeof(Mark); }
    // Gives a decoded chunk back before the end; it must not be read again.
    void release(std::size_t i) noexcept;

private:
    struct Chunk {
        std::span<Mark> words;
        ChunkSource *source;
    };
    std::vector<std::unique_ptr<ChunkSource>> sources_;
    std::vector<Chunk> chunks_;
    std::size_t max_words_;
    std::size_t words_ = 0;
};

} // namespace cpl_lb
