// What a model names: found again by its name, and bounded where names are made up anew each time.
#include "record/recorder.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

namespace {

std::unique_ptr<Recorder> recorder_with(std::size_t name_bytes) {
    Recorder::Setup setup;
    setup.name_bytes = name_bytes;
    return std::make_unique<Recorder>(std::move(setup), "ocean");
}

std::string step(int i) {
    return "step " + std::to_string(i);
}

// "step 0" to "step 9" have 6 letters.
constexpr std::size_t letters = 6 * NameRoom::text_copies;

} // namespace

TEST_CASE("regions beyond the room for names are one") {
    const auto recorder = recorder_with(3 * (NameRoom::region_B + letters));
    for (int i = 0; i < 3; ++i)
        CHECK(recorder->region(step(i)) == i + 1);
    CHECK(recorder->problems().nameless == 0);
    for (int i = 3; i < 10; ++i) {
        const int region = recorder->region(step(i));
        CHECK(region == 4);
        recorder->region_begin(region);
        recorder->region_end(region);
    }
    CHECK(recorder->region(step(1)) == 2); // an old one is found
    CHECK(recorder->problems().nameless == 7);
    const std::vector<RegionTimer> &timers = recorder->regions().timers();
    REQUIRE(timers.size() == 4);
    CHECK(timers[3].name == Recorder::further_names);
    CHECK(timers[3].calls == 7);
}

TEST_CASE("components beyond the room for names are one, and the one around them goes on") {
    const auto recorder = recorder_with(NameRoom::component_B + letters);
    for (int i = 0; i < 4; ++i) {
        recorder->component_begin(step(i));
        CHECK(recorder->component_here() == (i == 0 ? step(0) : std::string(Recorder::further_names)));
        CHECK(recorder->component_end());
    }
    CHECK(recorder->component_here() == "ocean");
    CHECK(recorder->components().size() == 3);
    CHECK(recorder->problems().nameless == 3);
}

TEST_CASE("fields beyond the room for names have none") {
    const auto recorder = recorder_with(2 * (NameRoom::field_B + 9 * NameRoom::text_copies));
    CHECK(recorder->field(step(0), "ice") == 1);
    CHECK(recorder->field(step(1), "ice") == 2);
    CHECK(recorder->field(step(2), "ice") == 0);
    CHECK(recorder->field(step(0), "ice") == 1);
    CHECK(recorder->problems().nameless == 1);
    // A new name for an old field needs room for what is longer only.
    CHECK(recorder->set_field(1, "salt", ""));
    CHECK(recorder->fields()[1].name == "salt");
    CHECK(recorder->set_field(1, std::string(1000, 'x'), ""));
    CHECK(recorder->fields()[1].name == "salt");
    CHECK(recorder->problems().nameless == 2);
    CHECK(recorder->set_field(1, step(3), ""));
    CHECK(recorder->fields()[1].name == step(3));
}

TEST_CASE("a component that is renamed is found by its new name") {
    const auto recorder = recorder_with(1 << 20);
    recorder->rename("sea");
    recorder->component_begin("sea");
    recorder->component_begin("ocean");
    CHECK(recorder->components() == std::vector<std::string>{"sea", "ocean"});
}

TEST_CASE("components inside each other without an end are bounded") {
    const auto recorder = recorder_with(1 << 20);
    const auto most = static_cast<std::int64_t>(Recorder::deepest);
    for (std::int64_t i = 0; i < most + 10; ++i)
        recorder->component_begin("nested");
    CHECK(recorder->problems().too_deep == 10);
    for (std::int64_t i = 0; i < most + 10; ++i)
        CHECK(recorder->component_end());
    CHECK_FALSE(recorder->component_end());
    CHECK(recorder->problems().component_order == 1);
}
