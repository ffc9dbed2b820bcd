// Maps chunks of memory and hands them out until the bound is reached.
#include "record/mark_store.hpp"

#include <algorithm>
#include <sys/mman.h>
#include <utility>

namespace cpl_lb {

// mmap instead of malloc: the pages are zeroed, and go back to the system when released. They are all mapped at once,
// which costs less than a page fault for each in the middle of recording.
Mark *MemoryChunks::allocate() noexcept {
    void *p = mmap(nullptr, chunk_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return p == MAP_FAILED ? nullptr : static_cast<Mark *>(p);
}

void MemoryChunks::release(Mark *chunk) noexcept {
    munmap(chunk, chunk_bytes);
}

MarkStore::MarkStore(std::unique_ptr<ChunkSource> source, std::size_t max_bytes)
    : max_bytes_(std::max(max_bytes, chunk_bytes)) {
    sources_.push_back(std::move(source));
    // Reserves the whole list, because grow() must not allocate.
    chunks_.reserve(max_bytes_ / chunk_bytes);
}

MarkStore::~MarkStore() {
    for (std::size_t i = 0; i < chunks_.size(); ++i)
        release(i);
}

Mark *MarkStore::grow() noexcept {
    if (at_bound() || chunks_.size() == chunks_.capacity()) return nullptr;
    ChunkSource *source = sources_.back().get();
    Mark *words = source->allocate();
    if (words != nullptr) chunks_.push_back({words, source});
    return words;
}

void MarkStore::replace_source(std::unique_ptr<ChunkSource> source) {
    sources_.push_back(std::move(source));
}

void MarkStore::release(std::size_t i) noexcept {
    Chunk &chunk = chunks_[i];
    if (chunk.words != nullptr) chunk.source->release(std::exchange(chunk.words, nullptr));
}

} // namespace cpl_lb
