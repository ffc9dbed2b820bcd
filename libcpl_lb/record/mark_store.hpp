// Memory for marks: chunks that never move. The first exists from the start, the others come as the run needs them.
#pragma once

#include "events/marks.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace cpl_lb {

inline constexpr std::size_t chunk_words = std::size_t{1} << 16; // 512 KiB: 32,768 events
inline constexpr std::size_t chunk_bytes = chunk_words * sizeof(Mark);

// Where chunks come from: memory, or a file that survives a crash (spool.hpp).
class ChunkSource {
public:
    ChunkSource() = default;
    ChunkSource(const ChunkSource &) = delete;
    ChunkSource &operator=(const ChunkSource &) = delete;
    virtual ~ChunkSource() = default;
    // Returns zeroed words, or nullptr if there is no room. Never throws.
    [[nodiscard]] virtual Mark *allocate() noexcept = 0;
    virtual void release(Mark *chunk) noexcept = 0;

    // For sources that survive a crash; others ignore these calls. No call is on the hot path.
    [[nodiscard]] virtual bool survives() const noexcept { return false; }
    virtual void name_component(std::uint32_t /*index*/, std::string_view /*name*/) noexcept {}
    virtual void name_field(std::uint32_t /*id*/, std::string_view /*name*/,
                            std::string_view /*counterpart*/) noexcept {}
    virtual void bound_reached(std::uint64_t /*ticks*/) noexcept {}
    virtual void planned_length(double /*seconds*/) noexcept {}
    virtual void threads_per_processor(double /*of_the_run*/) noexcept {} // threads on this node
    virtual void inside_is_summed() noexcept {} // times of MPI inside the component are not in the marks
    virtual void lost_processor(double /*times_per_s*/) noexcept {} // the mean so far
    virtual void remove_file() noexcept {}
    // Whether the file was removed from outside. Its content can then be read only while this process lives.
    [[nodiscard]] virtual bool file_is_gone() const noexcept { return false; }
};

class MemoryChunks final : public ChunkSource {
public:
    [[nodiscard]] Mark *allocate() noexcept override;
    void release(Mark *chunk) noexcept override;
};

class MarkStore {
public:
    // max_bytes: bound on all chunks; at least one chunk is always allowed.
    MarkStore(std::unique_ptr<ChunkSource> source, std::size_t max_bytes);
    ~MarkStore();
    MarkStore(const MarkStore &) = delete;
    MarkStore &operator=(const MarkStore &) = delete;

    // Returns the next chunk, or nullptr at the bound (at_bound) or without memory.
    [[nodiscard]] Mark *grow() noexcept;
    // Called after a failure of the source: later chunks come from the new one.
    void replace_source(std::unique_ptr<ChunkSource> source);
    // The source with which the store began. It still gets names after a failure.
    [[nodiscard]] ChunkSource &first_source() { return *sources_.front(); }
    [[nodiscard]] bool at_bound() const { return (chunks_.size() + 1) * chunk_words * sizeof(Mark) > max_bytes_; }
    [[nodiscard]] std::size_t chunk_count() const { return chunks_.size(); }
    [[nodiscard]] std::span<const Mark> chunk(std::size_t i) const { return {chunks_[i].words, chunk_words}; }
    [[nodiscard]] std::size_t bytes() const { return chunks_.size() * chunk_words * sizeof(Mark); }
    // Gives a decoded chunk back before the end; it must not be read again.
    void release(std::size_t i) noexcept;

    // Where reading goes on: `word` of `chunk`, after a mark at `ticks`.
    struct Place {
        std::size_t chunk = 0, word = 0;
        std::uint64_t ticks = 0;
    };
    // Calls take(mark, ticks) for all marks from `place` on, and moves `place` behind the last one. Call it on the
    // thread that records. Each chunk begins with the absolute time.
    template <class Take>
    void read_on(Place &place, Take take) const {
        for (MarkRead mark; place.chunk < chunks_.size(); ++place.chunk, place.word = 0) {
            std::span<const Mark> words = chunk(place.chunk).subspan(place.word);
            while (!words.empty() && words[0] != 0 && next_mark(words, place.ticks, mark))
                take(mark, place.ticks);
            place.word = chunk_words - words.size();
            if (place.chunk + 1 == chunks_.size()) return;
        }
    }

private:
    struct Chunk {
        Mark *words;
        ChunkSource *source;
    };
    std::vector<std::unique_ptr<ChunkSource>> sources_;
    std::vector<Chunk> chunks_;
    std::size_t max_bytes_;
};

} // namespace cpl_lb
