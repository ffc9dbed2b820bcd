// The memory for what a model names: fields, regions, components, ways between annotated regions. A name that is made
// up anew in each time step must not take all the memory of a long run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace cpl_lb {

class NameRoom {
public:
    // What one of them takes in the recorder and at terminate together, beside its text, which is there several
    // times.
    static constexpr std::size_t field_B = 1024, region_B = 6144, component_B = 16384, way_B = 512, text_copies = 8;

    explicit NameRoom(std::size_t bytes) : left_B_(bytes) {}

    // letters: of its text. False: it does not fit any more.
    [[nodiscard]] bool take(std::size_t bytes, std::size_t letters) noexcept {
        bytes += text_copies * letters;
        if (bytes > left_B_) return false;
        left_B_ -= bytes;
        return true;
    }
    void give_back(std::size_t letters) noexcept { left_B_ += text_copies * letters; }

private:
    std::size_t left_B_;
};

// From names to their numbers; a look-up makes no string.
struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const noexcept { return std::hash<std::string_view>()(name); }
};
template <class Number>
using NumberOfName = std::unordered_map<std::string, Number, NameHash, std::equal_to<>>;

} // namespace cpl_lb
