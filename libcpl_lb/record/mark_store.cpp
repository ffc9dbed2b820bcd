#include "record/mark_store.hpp"

#include <algorithm>
#include <memory>
#include <sys/mman.h>
#include <utility>

namespace cpl_lb {
namespace {

// mmap rather than malloc: the pages come zeroed and go back to the system when released.
std::byte *map(std::size_t bytes, int flags) {
    void *p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
    return p == MAP_FAILED ? nullptr : static_cast<std::byte *>(p);
}

// Memory that begins where a large page can: of twice as much the ends go back.
std::byte *map_large_page(std::size_t bytes) {
    std::byte *const twice = map(2 * bytes, MAP_NORESERVE);
    if (twice == nullptr) return nullptr;
    void *place = twice;
    std::size_t left = 2 * bytes;
    auto *const page = static_cast<std::byte *>(std::align(bytes, bytes, place, left));
    if (page != twice) munmap(twice, static_cast<std::size_t>(page - twice));
    if (left > bytes) munmap(page + bytes, left - bytes);
#if defined(MADV_HUGEPAGE)
    static_cast<void>(madvise(page, bytes, MADV_HUGEPAGE)); // a wish
#endif
    return page;
}

} // namespace

// All pages of a chunk at once costs less than a fault for each of them in the middle of recording.
std::span<Mark> MemoryChunks::allocate(std::size_t most) noexcept {
    const bool large = words_ >= large_chunk_words && most >= large_chunk_words;
    const std::size_t words = large ? large_chunk_words : chunk_words;
    const std::size_t bytes = words * sizeof(Mark);
    auto *const chunk = reinterpret_cast<Mark *>(large ? map_large_page(bytes) : map(bytes, MAP_POPULATE));
    if (chunk == nullptr) return {};
    constexpr std::size_t words_of_page = 4096 / sizeof(Mark);
    for (std::size_t i = 0; large && i < words; i += words_of_page)
        static_cast<volatile Mark *>(chunk)[i] = 0;
    words_ += words;
    return {chunk, words};
}

void MemoryChunks::release(std::span<Mark> chunk) noexcept {
    munmap(chunk.data(), chunk.size_bytes());
}

MarkStore::MarkStore(std::unique_ptr<ChunkSource> source, std::size_t max_bytes)
    : max_words_(std::max(max_bytes / sizeof(Mark), chunk_words)) {
    sources_.push_back(std::move(source));
    // grow() must not allocate: the list of chunks is as long as the bound allows.
    chunks_.reserve(max_words_ / chunk_words);
}

MarkStore::~MarkStore() {
    for (std::size_t i = 0; i < chunks_.size(); ++i)
        release(i);
}

std::span<Mark> MarkStore::grow() noexcept {
    if (at_bound() || chunks_.size() == chunks_.capacity()) return {};
    ChunkSource *source = sources_.back().get();
    const std::span<Mark> words = source->allocate(max_words_ - words_);
    if (!words.empty()) chunks_.push_back({words, source});
    words_ += words.size();
    return words;
}

void MarkStore::replace_source(std::unique_ptr<ChunkSource> source) {
    sources_.push_back(std::move(source));
}

void MarkStore::release(std::size_t i) noexcept {
    Chunk &chunk = chunks_[i];
    if (!chunk.words.empty()) chunk.source->release(std::exchange(chunk.words, {}));
}

} // namespace cpl_lb
