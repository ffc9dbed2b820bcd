// Asks the system for large pages under long arrays that are about to be written for the first time: at terminate a
// page fault for every 4 KiB took longer than the work on the data. It is a wish; nothing depends on it.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace cpl_lb {

// The large pages that lie wholly inside the array's memory, used or only reserved.
template <class Element>
void prefer_large_pages(std::vector<Element> &array) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    constexpr std::size_t large_page = std::size_t{1} << 21U;
    void *place = array.data();
    std::size_t bytes = array.capacity() * sizeof(Element);
    if (std::align(large_page, large_page, place, bytes) == nullptr) return; // not even one
    static_cast<void>(madvise(place, bytes / large_page * large_page, MADV_HUGEPAGE));
#else
    static_cast<void>(array);
#endif
}

} // namespace cpl_lb
