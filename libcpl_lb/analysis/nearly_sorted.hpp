// Sorts lists that are in order but for a few neighbours, as the event lists of processes are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace cpl_lb {

// Insertion while the moves stay few (linear then), else std::sort. `less` is a strict total order.
template <class Element, class Less>
void sort_nearly_sorted(std::vector<Element> &list, Less less) {
    std::size_t moves_left = 16 * list.size();
    for (std::size_t i = 1; i < list.size(); ++i) {
        for (std::size_t j = i; j > 0 && less(list[j], list[j - 1]); --j) {
            if (moves_left-- == 0) {
                std::sort(list.begin(), list.end(), less);
                return;
            }
            std::swap(list[j], list[j - 1]);
        }
    }
}

} // namespace cpl_lb
