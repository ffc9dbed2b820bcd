// Whom an exchange is with, where the model did not name it.
#include "events/catalogue.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace cpl_lb;

// The counterpart in each entry of the components, one process each; "" where it is not known.
std::vector<std::string> counterparts(const std::vector<CatalogueEntry> &entries,
                                      const std::vector<std::string> &components) {
    std::vector<NumberList> members;
    for (std::size_t i = 0; i < components.size(); ++i)
        members.push_back({static_cast<std::int32_t>(i)});
    const Catalogue c = make_catalogue(entries, components, members);
    std::vector<std::string> names;
    for (const CatalogueEntry &e : entries) {
        const std::int32_t id = c.classes[c.class_of(e)].what.counterpart;
        names.push_back(id == 0 ? "" : c.component_names.at(static_cast<std::size_t>(id) - 1));
    }
    return names;
}

const std::string another(another_part);

} // namespace

TEST_CASE("who is not named is the one that has the field the other way round") {
    const std::vector<CatalogueEntry> entries = {{"a", Kind::put, "heat", ""}, {"b", Kind::get, "heat", ""}};
    CHECK(counterparts(entries, {"a", "b", "c"}) == std::vector<std::string>{"b", "a"});
    const std::vector<CatalogueEntry> alone = {{"a", Kind::put, "heat", ""}};
    CHECK(counterparts(alone, {"a", "b"}) == std::vector<std::string>{""});
}

TEST_CASE("another part of a program of two is the other one, of three it is not known which") {
    const std::vector<CatalogueEntry> entries = {{"a", Kind::put, "end of send", another},
                                                 {"b", Kind::put, "end of send", another}};
    CHECK(counterparts(entries, {"a", "b"}) == std::vector<std::string>{"b", "a"});
    CHECK(counterparts(entries, {"a", "b", "c"}) == std::vector<std::string>{another, another});
}
