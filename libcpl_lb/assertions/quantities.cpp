// The table of quantities, and which counters measure each of them.
#include "assertions/quantities.hpp"

#include "support/fmt.hpp"
#include "support/sentences.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace cpl_lb {
namespace {

constexpr std::array<AssertedQuantity, 15> quantities = {{
    {"flops", "flop", "operations on floating-point numbers", true},
    {"vflops", "flop", "those of them in vector instructions", true},
    {"loads", "1", "numbers of 8 bytes read", true},
    {"vloads", "1", "those of them by vector instructions", true},
    {"stores", "1", "numbers of 8 bytes written", true},
    {"vstores", "1", "those of them by vector instructions", true},
    {"bytes", "B", "bytes from and to memory", true},
    {"messages", "1", "messages sent, point to point", true},
    {"message_bytes", "B", "bytes in them", true},
    {"seconds", "s", "time", true},
    {"calls", "1", "calls of the region by one process in the whole run", false},
    {"avl", "1", "average vector length, in numbers", false},
    {"mv", "", "00, 10, 01 or 11: multistreamed (several threads), vectorised", false},
    {"sl", "", "spatial locality: 0 extremely low, 1 moderate, 2 extremely high", false},
    {"tl", "", "temporal locality: 0 extremely low, 1 moderate, 2 extremely high", false},
}};

struct Term {
    double factor = 0;
    std::string_view counter;
};
using Terms = std::array<Term, 4>; // those without a counter are not used

// A quantity as a sum of counters, or as a ratio of two sums. Names as PAPI and libpfm4 have them.
struct Way {
    std::string_view quantity;
    Terms sum, divided_by;
};

#define INTEL "FP_ARITH_INST_RETIRED:"
constexpr Term scalar{1, INTEL "SCALAR_DOUBLE"}, of_2{2, INTEL "128B_PACKED_DOUBLE"},
    of_4{4, INTEL "256B_PACKED_DOUBLE"}, of_8{8, INTEL "512B_PACKED_DOUBLE"};
constexpr Term one_2{1, INTEL "128B_PACKED_DOUBLE"}, one_4{1, INTEL "256B_PACKED_DOUBLE"},
    one_8{1, INTEL "512B_PACKED_DOUBLE"};
#undef INTEL

// The first of a quantity's ways whose counters all exist is taken. A cache line has 64 bytes on all processors with
// these names.
constexpr std::array<Way, 17> ways = {{
    {"flops", {{{1, "PAPI_DP_OPS"}}}, {}},
    {"flops", {{{1, "PAPI_FP_OPS"}}}, {}},
    {"flops", {{scalar, of_2, of_4, of_8}}, {}},
    {"flops", {{scalar, of_2, of_4}}, {}},
    {"flops", {{{1, "RETIRED_SSE_AVX_FLOPS:ANY"}}}, {}},
    {"vflops", {{of_2, of_4, of_8}}, {}},
    {"vflops", {{of_2, of_4}}, {}},
    {"avl", {{of_2, of_4, of_8}}, {{one_2, one_4, one_8}}},
    {"avl", {{of_2, of_4}}, {{one_2, one_4}}},
    {"loads", {{{1, "PAPI_LD_INS"}}}, {}},
    {"loads", {{{1, "MEM_INST_RETIRED:ALL_LOADS"}}}, {}},
    {"stores", {{{1, "PAPI_SR_INS"}}}, {}},
    {"stores", {{{1, "MEM_INST_RETIRED:ALL_STORES"}}}, {}},
    {"bytes", {{{64, "PAPI_L3_TCM"}}}, {}},
    {"bytes", {{{64, "perf::PERF_COUNT_HW_CACHE_MISSES"}}}, {}},
    {"bytes", {{{64, "perf::CACHE-MISSES"}}}, {}},
    {"bytes", {{{64, "PERF_COUNT_HW_CACHE_MISSES"}}}, {}},
}};

double sum_of(const Terms &terms, const std::vector<NamedSpread> &counters) {
    double sum = 0;
    for (const Term &term : terms) {
        if (term.counter.empty()) continue;
        const auto at = std::ranges::find(counters, term.counter, &NamedSpread::name);
        sum += at == counters.end() ? unknown : term.factor * at->over.mean();
    }
    return sum;
}

std::string in_words(const Terms &terms) {
    std::string text;
    for (const Term &term : terms) {
        if (term.counter.empty()) continue;
        if (!text.empty()) text += " + ";
        text += term.factor == 1 ? std::string(term.counter) : fmt::format("{:g} x {}", term.factor, term.counter);
    }
    return text;
}

} // namespace

std::span<const AssertedQuantity> asserted_quantities() {
    return quantities;
}

const AssertedQuantity *asserted_quantity(std::string_view name) {
    const auto at = std::ranges::find(quantities, name, &AssertedQuantity::name);
    return at == quantities.end() ? nullptr : &*at;
}

std::string names_of_asserted_quantities() {
    std::string text;
    for (const AssertedQuantity &q : quantities)
        text += (text.empty() ? "" : ", ") + std::string(q.name);
    return text;
}

Measured measured_by_counters(std::string_view quantity, const std::vector<NamedSpread> &counters) {
    bool has_way = false;
    for (const Way &way : ways) {
        if (way.quantity != quantity) continue;
        const bool is_ratio = !way.divided_by[0].counter.empty();
        const double divisor = is_ratio ? sum_of(way.divided_by, counters) : 1.0;
        const double value = sum_of(way.sum, counters) / divisor;
        std::string words = in_words(way.sum);
        if (is_ratio) words = fmt::format("({}) / ({})", words, in_words(way.divided_by));
        if (is_known(value) && divisor > 0) return {value, std::move(words), {}};
        has_way = true;
    }
    if (!has_way) return {unknown, {}, "no counter counts it"};
    return {unknown, {}, "no counter for it in cn_counters that works here"};
}

namespace {

double calls_of_a_process(const RegionSummary &region) {
    return region.processes > 0 ? static_cast<double>(region.calls) / region.processes : unknown;
}

// A vector load is one instruction and several numbers.
bool counts_instructions_only(const RegionSummary &region, std::string_view quantity) {
    if (quantity != "loads" && quantity != "stores") return false;
    const Annotation *mv = annotation_of(region, "mv");
    return mv != nullptr && std::fmod(mv->value.mean(), 10.0) != 0.0; // the second digit: vectorised
}

void check(const RegionSummary &region, Annotation &a) {
    if (a.quantity == "seconds") {
        a.measured = region.mean_s;
        a.measured_by = "clock";
    } else if (a.quantity == "calls") {
        a.measured = calls_of_a_process(region);
        a.measured_by = "count of calls";
    } else if (a.quantity == "messages" || a.quantity == "message_bytes") {
        a.measured = (a.quantity == "messages" ? region.meters.messages : region.meters.message_B).mean();
        a.measured_by = is_known(a.measured) ? "MPI" : "";
        a.why_not_measured = is_known(a.measured) ? "" : "MPI was not recorded: put cpl-lb-record in front";
    } else if (counts_instructions_only(region, a.quantity)) {
        a.why_not_measured = "counters count load and store instructions, and here one is several numbers";
    } else {
        Measured m = measured_by_counters(a.quantity, region.meters.counters);
        a.measured = m.value;
        a.measured_by = std::move(m.by);
        a.why_not_measured = std::move(m.why);
    }
}

void note_parts(const Component &c, const RegionSummary &region, std::vector<std::string> &remarks) {
    constexpr std::array<std::pair<const char *, const char *>, 3> parts = {
        {{"vflops", "flops"}, {"vloads", "loads"}, {"vstores", "stores"}}};
    for (const auto &[part, whole] : parts) {
        const Annotation *p = annotation_of(region, part), *w = annotation_of(region, whole);
        if (p != nullptr && w != nullptr && p->value.mean() > w->value.mean()) {
            remarks.push_back(say(Sentence::remark_part_exceeds, {{"name", c.name},
                                                                  {"region", region.name},
                                                                  {"part", part},
                                                                  {"whole", whole},
                                                                  {"value", fmt::format("{:g}", p->value.mean())},
                                                                  {"all", fmt::format("{:g}", w->value.mean())}}));
        }
    }
}

} // namespace

const Annotation *annotation_of(const RegionSummary &region, std::string_view quantity) {
    const auto at = std::ranges::find(region.annotations, quantity, &Annotation::quantity);
    return at == region.annotations.end() ? nullptr : &*at;
}

void check_annotations(RegionSummary &region) {
    for (Annotation &a : region.annotations)
        check(region, a);
}

void check_annotations(CoupledRun &run) {
    for (Component &c : run.components)
        for (RegionSummary &region : c.regions)
            check_annotations(region);
}

std::vector<std::string> annotation_remarks(const CoupledRun &run) {
    std::vector<std::string> remarks;
    for (const Component &c : run.components) {
        for (const RegionSummary &region : c.regions) {
            for (const Annotation &a : region.annotations) {
                if (!a.why_no_value.empty()) {
                    remarks.push_back(say(Sentence::remark_no_value, {{"name", c.name},
                                                                      {"region", region.name},
                                                                      {"quantity", a.quantity},
                                                                      {"why", a.why_no_value}}));
                }
            }
            note_parts(c, region, remarks);
        }
        for (const AssertedParameter &p : c.parameters) {
            if (p.value.min != p.value.max) {
                remarks.push_back(
                    say(Sentence::remark_parameter_differs, {{"name", c.name},
                                                             {"parameter", p.name},
                                                             {"least", fmt::format("{:g}", p.value.min)},
                                                             {"most", fmt::format("{:g}", p.value.max)}}));
            }
        }
    }
    return remarks;
}

} // namespace cpl_lb
