// Messages that are cut, too long or have a wrong bit: refused, or taken for what they say, but nothing is read
// beyond them and no more memory is asked for than they can fill.
#include "mpi/wire_formats.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

namespace {
std::size_t largest_request = 0;
} // namespace

#ifdef CPL_LB_COUNTS_ALLOCATIONS
// The library allocates through these.
void *operator new(std::size_t bytes) {
    largest_request = std::max(largest_request, bytes);
    if (void *memory = std::malloc(std::max<std::size_t>(bytes, 1)); memory != nullptr) return memory;
    throw std::bad_alloc();
}
void operator delete(void *memory) noexcept {
    std::free(memory);
}
void operator delete(void *memory, std::size_t /*bytes*/) noexcept {
    std::free(memory);
}
#endif

using namespace cpl_lb;
using namespace cpl_lb::testing;

namespace {

// A wrong length of a text or list reaches at most to the end of the message; what is made of it in memory is larger:
// 25 bytes of a message can become a RegionSummary of some 300.
constexpr std::size_t most_memory_for_a_byte = 64;

enum class Fate { taken, refused };

Fate fate_of(const WireFormat &format, const Bytes &message) {
    largest_request = 0;
    Fate fate = Fate::taken;
    try {
        const Bytes again = format.again(message);
        static_cast<void>(again);
    } catch (const DamagedMessage &) {
        fate = Fate::refused;
    }
    CHECK(largest_request <= 4096 + most_memory_for_a_byte * message.size());
    return fate;
}

} // namespace

TEST_CASE("there and back") {
    for (const WireFormat &format : wire_formats()) {
        INFO(format.name);
        CHECK(format.again(format.example) == format.example);
    }
}

TEST_CASE("cut anywhere: refused") {
    for (const WireFormat &format : wire_formats()) {
        for (std::size_t n = 0; n < format.example.size(); ++n) {
            INFO(format.name << ", " << n << " bytes");
            const Bytes cut(format.example.begin(), format.example.begin() + static_cast<std::ptrdiff_t>(n));
            CHECK(fate_of(format, cut) == Fate::refused);
        }
    }
}

TEST_CASE("longer than it says: refused") {
    for (const WireFormat &format : wire_formats()) {
        for (const std::size_t more : {1U, 7U, 8U, 1000U}) {
            Bytes longer = format.example;
            longer.resize(longer.size() + more, std::byte{0xff});
            INFO(format.name << " and " << more << " bytes");
            CHECK(fate_of(format, longer) == Fate::refused);
        }
    }
}

// Each bit of each length, and of everything else.
TEST_CASE("one wrong bit: refused or taken, within its memory") {
    for (const WireFormat &format : wire_formats()) {
        int refused = 0;
        for (std::size_t bit = 0; bit < 8 * format.example.size(); ++bit) {
            Bytes wrong = format.example;
            wrong[bit / 8] ^= static_cast<std::byte>(1U << (bit % 8));
            INFO(format.name << ", bit " << bit);
            if (fate_of(format, wrong) == Fate::refused) ++refused;
        }
        INFO(format.name);
        CHECK(refused > 64); // at least the first length
    }
}

namespace {

template <class T>
bool is_refused(const T &value) {
    try {
        static_cast<void>(unpacked<T>(packed(value), "it"));
    } catch (const DamagedMessage &) {
        return true;
    }
    return false;
}

} // namespace

TEST_CASE("numbers that others take for places: refused where they are outside") {
    ProcessMap process_map = example_process_map();
    std::vector<std::int32_t> components = process_map.component_of_rank.all();
    components[1] = 2;
    process_map.component_of_rank = components;
    CHECK(is_refused(process_map));
    process_map = example_process_map();
    process_map.node_of_rank = {0, 1};
    CHECK(is_refused(process_map));
    CHECK_THROWS_AS(unpack_counts(packed(std::vector<RecordedCount>{{3, 10, 4}}), 3), DamagedMessage);
    Catalogue catalogue = example_catalogue();
    catalogue.class_of_entry[0] = 2;
    CHECK(is_refused(catalogue));
    catalogue = example_catalogue();
    catalogue.classes[0].what.counterpart = 3;
    CHECK(is_refused(catalogue));
    // The classes of two events are 0 and 1; there is no class 9.
    EventTable table = example_component().table;
    CHECK(fits_together(table));
    table.keys = EventKeys(table.keys.classes(), {0, 9});
    CHECK_FALSE(fits_together(table));
}

TEST_CASE("pieces of a grid: of each process, and not too many") {
    Component c = example_component_in_pieces();
    CHECK(unpacked<Component>(packed(c), "it").figures.parts[1].pieces.size() == 2);
    c.figures.parts.pop_back();
    CHECK(is_refused(c));
    c = example_component_in_pieces();
    c.figures.parts[0].pieces.resize(most_pieces + 1);
    CHECK(is_refused(c));
}
