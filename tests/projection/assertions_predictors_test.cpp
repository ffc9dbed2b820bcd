// Run times of Modeling Assertions (docs/definitions.md, section 7): its tables and formulas on the machine file that
// ships, and what section 4.2 says of the four strategies.
#include "io/files/csv_table.hpp"
#include "projection/machine/machine_file.hpp"
#include "projection/predictors/assertion_model.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>

using namespace cpl_lb;

namespace {

const Machine &x1e() {
    static const Machine machine = load_machine("cray_x1e");
    return machine;
}
CsvTable paper(const std::string &table) {
    return CsvTable::from_file(CPL_LB_TEST_DATA "/modeling_assertions/" + table + ".csv");
}

// "flops=2*n loads=5": a block of these quantities; of two the later one counts.
AssertionModel model_of(const std::string &given, std::vector<ModelParameter> parameters = {}, double calls = 1) {
    AssertionModel model;
    model.parameters = std::move(parameters);
    ModelBlock &block = model.blocks.emplace_back();
    block.region = "loop";
    block.calls = calls;
    std::istringstream words(given);
    for (std::string word; words >> word;) {
        const std::string name = word.substr(0, word.find('='));
        std::erase_if(block.quantities, [&](const BlockQuantity &q) { return q.name == name; });
        BlockQuantity &q = block.quantities.emplace_back();
        q.name = name;
        q.expression = Expression(word.substr(name.size() + 1));
    }
    return model;
}
TimePrediction predicted(const std::string &given, Strategy strategy, const Machine &machine = x1e(),
                         double calls = 1) {
    const AssertionModel model = model_of(given, {}, calls);
    return predict_time(sorted_work(model, model.blocks.front()), machine, strategy);
}
double seconds(const std::string &given, Strategy strategy, double calls = 1) {
    const TimePrediction p = predicted(given, strategy, x1e(), calls);
    INFO(p.why);
    CHECK(p.why.empty());
    return p.seconds.value;
}

constexpr double GB = 1e9;

} // namespace

TEST_CASE("tables 2 to 4: bandwidth by MV, SL and TL") {
    const CsvTable table = paper("ma_table2_4_bandwidth");
    REQUIRE(table.rows() == 9);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const int tl = static_cast<int>(table.number(row, "TL")), sl = static_cast<int>(table.number(row, "SL"));
        for (const std::string mv : {"00", "10", "01", "11"}) {
            // Table 4 prints 8.25 where 34 / 4 and table 5 have 8.5.
            const bool misprint = tl == 2 && sl == 2 && mv == "01";
            const double printed = misprint ? 8.5 : table.number(row, "MV" + mv);
            INFO("MV " << mv << " SL " << sl << " TL " << tl);
            CHECK(bandwidth_for(*locality_of(x1e(), mv), sl, tl, Strategy::pred) == Approx(printed * GB));
        }
    }
}

TEST_CASE("table 5: the bandwidths of HYCOM's loops follow from their levels, but that of loop 9") {
    const CsvTable table = paper("ma_table5_hycom_loops");
    REQUIRE(table.rows() == 18);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const int sl = static_cast<int>(table.number(row, "SL")), tl = static_cast<int>(table.number(row, "TL"));
        const LocalityBandwidth &mv = *locality_of(x1e(), table.text(row, "MV"));
        const double observed = table.number(row, "observed_BW") * GB;
        INFO("loop " << row);
        CHECK(bandwidth_for(mv, sl, tl, Strategy::pred_hb) == Approx(table.number(row, "peak_BW") * GB));
        const auto near = levels_near(mv, observed);
        const auto holds = [&](int s, int t) {
            return std::any_of(near.begin(), near.end(), [&](const auto &l) { return l.sl == s && l.tl == t; });
        };
        if (table.number(row, "loop") == 9) { // 3.0 GB/s at MV 01 is SL 0, TL 1; the table prints 2, 2
            CHECK(bandwidth_for(mv, sl, tl, Strategy::pred) == Approx(8.5 * GB));
            CHECK(near.size() == 1);
            CHECK(holds(0, 1));
        } else {
            CHECK(bandwidth_for(mv, sl, tl, Strategy::pred) == Approx(observed));
            CHECK(holds(sl, tl));
        }
    }
}

TEST_CASE("a bandwidth that several levels have: all of them") {
    // MV 11: 24 GB/s is TL 0, SL 2 and TL 2, SL 1.
    const auto near = levels_near(*locality_of(x1e(), "11"), 24.4 * GB);
    REQUIRE(near.size() == 2);
    CHECK((near[0].sl == 2 && near[0].tl == 0));
    CHECK((near[1].sl == 1 && near[1].tl == 2));
}

TEST_CASE("figure 1, not vectorised: Ts = SFLOPS / rate + 8 (SLOADS + SSTORES) / BW") {
    const std::string work = "flops=1.13e9 loads=6e7 stores=4e7 mv=00 sl=1 tl=1";
    // 1.13e9 / 0.565e9 = 2; 8 x 1e8 / 0.4e9 = 2
    CHECK(seconds(work, Strategy::pred) == Approx(4));
    const std::string streamed = work + " mv=10"; // 1.13e9 / 2.26e9 = 0.5; 8e8 / 1.6e9 = 0.5
    CHECK(seconds(streamed, Strategy::pred) == Approx(1));
    const TimePrediction p = predicted(streamed, Strategy::pred);
    CHECK(p.scalar_compute_s == Approx(0.5));
    CHECK(p.scalar_memory_s == Approx(0.5));
    CHECK(p.vector_compute_s == 0);
    CHECK(p.vector_memory_s == 0);
}

TEST_CASE("figure 1, vectorised: T = Tv + Ts with the penalty of short vectors") {
    // VFLOPS 3.6e9, SFLOPS 2.26e9; numbers 3e9 + 1e9 by vectors, 2e8 one by one; AVL 32 of 64; SL 1, TL 2: 24 GB/s.
    const std::string work = "flops=5.86e9 vflops=3.6e9 loads=3.2e9 vloads=3e9 stores=1e9 vstores=1e9 avl=32 mv=11 "
                             "sl=1 tl=2";
    const TimePrediction p = predicted(work, Strategy::pred);
    CHECK(p.vector_compute_s == Approx(0.2));          // 3.6e9 / 18e9
    CHECK(p.scalar_compute_s == Approx(1));            // 2.26e9 / 2.26e9
    CHECK(p.vector_memory_s == Approx(8.0 / 3));       // 4e9 x 8 x 64 / (24e9 x 32)
    CHECK(p.scalar_memory_s == Approx(1.0 / 15));      // 2e8 x 8 / 24e9
    CHECK(p.seconds.value == Approx(1.2 + 41.0 / 15)); // 40/15 + 1/15
    // Without AVL the vector memory time halves: 4/3.
    CHECK(seconds(work, Strategy::pred_novl) == Approx(1.2 + 4.0 / 3 + 1.0 / 15));
    // Lowest 10 GB/s: (3.2e10 + 1.6e9) / 1e10 = 3.36; highest 34: 0.98824.
    CHECK(seconds(work, Strategy::pred_lb) == Approx(1.2 + 3.36));
    CHECK(seconds(work, Strategy::pred_hb) == Approx(1.2 + 33.6 / 34));
    // One SSP alone, mv 01: 3.6e9 / 4.5e9 = 0.8, 2.26e9 / 0.565e9 = 4, BW 6: (6.4e10 + 1.6e9) / 6e9.
    CHECK(seconds(work + " mv=1", Strategy::pred) == Approx(4.8 + 65.6 / 6));
    // A vector is no longer than the register.
    CHECK(seconds(work + " avl=1000", Strategy::pred) == Approx(seconds(work, Strategy::pred_novl)));
}

TEST_CASE("section 4.2: loops 2 and 3, not vectorised, SL 0, TL 0: pred = pred_novl = pred_lb") {
    const std::string loop = "flops=1e8 loads=2e8 stores=1e8 mv=10 sl=0 tl=0";
    const double pred = seconds(loop, Strategy::pred);
    CHECK(seconds(loop, Strategy::pred_novl) == pred);
    CHECK(seconds(loop, Strategy::pred_lb) == pred);
    CHECK(seconds(loop, Strategy::pred_hb) < pred / 2);
}

TEST_CASE("all of a vectorised block is vector work where nothing else is said; calls multiply") {
    // 3 x (1 + 17e8 x 8 / 34e9 = 0.4)
    for (const std::string moved : {"loads=17e8", "bytes=13.6e9"})
        CHECK(seconds("flops=18e9 mv=11 sl=2 tl=2 " + moved, Strategy::pred, 3) == Approx(4.2));
}

TEST_CASE("what the author has not said: no time, and what is needed") {
    const std::pair<const char *, const char *> cases[] = {
        {"flops=1 loads=1", "needs mv"},
        {"loads=1 mv=11", "needs flops"},
        {"flops=1 mv=11", "needs loads and stores, or bytes"},
        {"flops=1 loads=1 mv=11", "needs sl and tl: 0, 1 or 2"},
        {"flops=1 vflops=2 loads=1 mv=11",
         "vflops, vloads and vstores are parts of flops, loads and stores, and one"},
        {"flops=1/0 loads=1 mv=11", "flops: division by zero"}};
    for (const auto &[given, why] : cases) {
        const TimePrediction p = predicted(given, Strategy::pred);
        CHECK_FALSE(is_known(p.seconds.value));
        CHECK_THAT(p.why, Catch::StartsWith(why));
    }
    // The bounds need no levels.
    CHECK(seconds("flops=18e9 loads=0 mv=11", Strategy::pred_lb) == Approx(1));
    CHECK_THAT(predicted("flops=1 loads=1 mv=11 sl=0 tl=0", Strategy::pred, load_machine("xeon_gold_6148")).why,
               Catch::EndsWith("has no [[locality]] for mv 11"));
}

TEST_CASE("sensitivity: per cent of time for a per cent of a parameter") {
    // T = 2 n^3 / 18e9 + 8 n^2 x 64 / (34e9 n) = n^3 / 9e9 + 512 n / 34e9 with AVL n below 64: at n = 32
    // n^3 / 9e9 = 3.640889e-6, 512 n / 34e9 = 4.818824e-7; elasticity (3 x 3.640889 + 0.4818824) / 4.122771
    // = 2.766232
    const AssertionModel model = model_of("flops=2*n^3 loads=n^2 avl=n mv=11 sl=2 tl=2", {{"n", 32}});
    const Slope t = predict_time(sorted_work(model, model.blocks[0], 0), x1e(), Strategy::pred).seconds;
    CHECK(t.value == Approx(4.122771e-6).epsilon(1e-6));
    CHECK(elasticity(t, 32) == Approx(2.766232).epsilon(1e-6));
    CHECK(elasticity(model.evaluate(model.blocks[0].quantities[0].expression, 0).slope, 32) == Approx(3));
}

TEST_CASE("a run's own value holds over the expression, and its slope with it") {
    AssertionModel model = model_of("flops=n loads=0 mv=11", {{"n", 10, true}});
    model.blocks[0].quantities[0].value = 36e9; // the parameter changed while the model ran
    CHECK(sorted_work(model, model.blocks[0], 0).vector_flops.value == 36e9);
    CHECK(elasticity(sorted_work(model, model.blocks[0], 0).vector_flops, 10) == Approx(1));
    model.set("n", 18e9);
    CHECK(sorted_work(model, model.blocks[0], 0).vector_flops.value == 18e9);
    CHECK_THROWS_WITH(model.set("m", 1), Catch::Contains("no parameter 'm'; there are: n"));
}
