// Who came last to collective operations, found out by the leaders of the components alone.
#include "run/live/steps/gather_components.hpp"

#include "tests/analysis/literals.hpp"
#include "tests/run/steps/step_by_hand.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;
using namespace cpl_lb::literals;
using namespace cpl_lb::testing;

namespace {

constexpr int operations = 50'000; // more than one block of three components: 1 MiB holds 43,690

// Component 1 is on the ranks 0 and 1, 2 on 2, 3 on 2 and 3, so that rank 2 leads two of them; 4, alone in its field,
// on 4.
Catalogue four_components() {
    std::vector<CatalogueEntry> entries;
    for (const char *name : {"a", "b", "c"})
        entries.push_back({name, Kind::sync, "collective", {}});
    entries.push_back({"d", Kind::sync, "other", {}});
    return make_catalogue(std::move(entries), {"a", "b", "c", "d"}, {{0, 1}, {2}, {2, 3}, {4}});
}

// In operation n component n % 3 + 1 comes last; 4 has an operation of its own. The last component lacks the last
// one.
EventTable table_of(std::int32_t id, const Catalogue &catalogue) {
    const std::int32_t field = catalogue.classes[static_cast<std::size_t>(id) - 1].what.field;
    EventTable table;
    for (int n = 0; n < operations - (id == 3 ? 1 : 0); ++n) {
        table.keys.push_back({Kind::sync, field, 0, no_date, n});
        const Nanoseconds start = 10 * n + (n % 3 + 1 == id ? 5 : id);
        table.spans.whole().push_back({start, start, 10 * n + 5, 1});
    }
    return table;
}

} // namespace

TEST_CASE("names: leaders of one component or two; others have no part in it") {
    using Tables = std::vector<EventTable>;
    const Catalogue catalogue = four_components();
    CHECK(any_sync_together(catalogue));
    const OfRanks<Tables> all = step_on<Tables>(quick_world(5), [&](Transport &t, Tables &mine) {
        const std::vector<std::vector<std::int32_t>> led = {{1}, {}, {2, 3}, {}, {4}};
        const std::vector<std::int32_t> &ids = led[static_cast<std::size_t>(t.rank())];
        for (const std::int32_t id : ids)
            mine.push_back(table_of(id, catalogue));
        std::vector<TableOfComponent> tables;
        for (std::size_t i = 0; i < ids.size(); ++i)
            tables.push_back({ids[i], &mine[i]});
        name_syncs(t, catalogue, 0, tables);
    });
    REQUIRE(all.good());
    const auto named = [&](std::size_t rank, std::size_t table, int n) {
        return all.results[rank][table].keys.what(static_cast<std::size_t>(n)).counterpart;
    };
    // For the last one itself: of 2 and 3 the later is 3, of 1 and 3 is 3, of 1 and 2 is 2.
    for (const int n : {0, 1, 2, 43'689, 43'690, 43'691, 49'997}) {
        const int last = n % 3 + 1;
        CHECK(named(0, 0, n) == (last == 1 ? 3 : last));
        CHECK(named(2, 0, n) == (last == 2 ? 3 : last));
        CHECK(named(2, 1, n) == (last == 3 ? 2 : last));
    }
    // 49,999 % 3 is 1: 2 comes last, and 3 is not there.
    CHECK(named(0, 0, operations - 1) == 2);
    CHECK(named(2, 0, operations - 1) == 1);
    CHECK(named(4, 0, 7) == 0);
}
