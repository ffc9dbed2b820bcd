// The table of messages under way against std::map.
#include "profiling/transfers.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <random>

using cpl_lb::profiling::Transfers;

TEST_CASE("the table holds what a map holds") {
    std::mt19937 random(17);
    Transfers table;
    std::map<std::uint64_t, int> map;
    for (int i = 1; i <= 20000; ++i) {
        const std::uint64_t key = 8 * (random() % 300); // as pointers are: multiples
        if (random() % 5 < 2) {
            table.erase(key);
            map.erase(key);
        } else {
            table.insert(key, {.message = {.field = i}});
            map[key] = i;
        }
        REQUIRE(table.empty() == map.empty());
        const std::uint64_t asked = 8 * (random() % 300);
        const auto *found = table.find(asked);
        REQUIRE((found != nullptr) == map.contains(asked));
        if (found != nullptr) REQUIRE(found->message.field == map[asked]);
    }
}
