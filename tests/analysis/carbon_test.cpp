// CO2e = energy x PUE x emission factor, by hand.
#include "analysis/energy.hpp"

#include <catch2/catch.hpp>

using namespace cpl_lb;

TEST_CASE("1000 kWh, a PUE of 1.2 within 5 %, 0.25 kg/kWh within 12 %") {
    const auto f = carbon_footprint({1000}, {1.2, 1.14, 1.26}, {0.25, 0.22, 0.28});
    CHECK(f.building_kWh.value == Approx(1200));
    CHECK(f.building_kWh.low == Approx(1140));
    CHECK(f.co2e_kg.value == Approx(300));
    // 5 and 12 make 13: 0.05^2 + 0.12^2 = 0.13^2.
    CHECK(f.co2e_kg.low == Approx(261));
    CHECK(f.co2e_kg.high == Approx(339));
    CHECK(f.without_interval == "the energy");
}

TEST_CASE("an interval that is wider above than below stays so") {
    // Below 3 and 4 %, above 6 and 8 %: 5 and 10 %.
    const auto f = carbon_footprint({100, 97, 106}, {2, 2, 2}, {0.5, 0.48, 0.54});
    CHECK(f.co2e_kg.low == Approx(95));
    CHECK(f.co2e_kg.high == Approx(110));
    CHECK(f.without_interval.empty());
}

TEST_CASE("without intervals there is none; what is not known stays so") {
    const auto plain = carbon_footprint({1000}, {1.2}, {0.25});
    CHECK(plain.co2e_kg.value == Approx(300));
    CHECK_FALSE(is_known(plain.co2e_kg.low));
    CHECK(plain.without_interval == "the energy, the PUE, the emission factor");
    const auto none = carbon_footprint({1000}, {1.2, 1.1, 1.3}, {});
    CHECK(none.building_kWh.value == Approx(1200));
    CHECK_FALSE(is_known(none.co2e_kg.value));
    CHECK_FALSE(is_known(none.co2e_kg.high));
}
