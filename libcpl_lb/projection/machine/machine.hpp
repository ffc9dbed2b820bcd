// A machine as the models see it: what it computes, moves and draws. Measured by `cpl-lb machine`, or written from a
// paper or a data sheet (docs/machines.md). SI units; what is not known is NaN or an empty list, never 0.
#pragma once

#include "data/time.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// The clock of rows that were measured with turbo on: above every fixed clock, and not a number of hertz.
inline constexpr double turbo_clock = std::numeric_limits<double>::infinity();

// How the machine ran while a row was measured.
struct MachineSetting {
    int threads = 0;           // cores at work, one thread each; 0: idle (power only)
    double clock_Hz = unknown; // NaN: as the machine chose; turbo_clock
};

struct FlopRate {
    std::string vector; // "scalar", "sse2", "avx2", "avx512", ...; empty: the machine's best
    MachineSetting at;
    double flop_per_s = unknown; // double precision; a fused multiply-add is two
};

struct LevelBandwidth {
    std::string level;  // "L1", "L2", "L3", "DRAM"
    std::string access; // "load", "copy", "triad": what moved, write-allocate included; empty: not said
    MachineSetting at;
    double B_per_s = unknown; // of all threads together
};

struct MachineLevel {
    std::string level;
    double size_B = unknown;    // of one cache; the memory of a node
    double shared_by = unknown; // cores that share one
    double latency_s = unknown; // a load that depends on the one before
};

struct NetworkLink {
    double latency_s = unknown, B_per_s = unknown; // a message between two processes: latency + bytes / B_per_s
    std::string between;                           // "processes of one node", "nodes"
};

struct PowerDraw {
    MachineSetting at; // 0 threads: idle
    double package_W = unknown, dram_W = unknown;
};

// Bandwidth by how a loop was compiled and how it touches memory (Modeling Assertions, section 3.3, tables 2 to 4).
struct LocalityBandwidth {
    std::string mv;                                  // multistreamed (threads), vectorised: "00", "10", "01", "11"
    std::array<std::array<double, 3>, 3> B_per_s = { // [TL][SL], levels 0 (low) to 2 (high)
        {{unknown, unknown, unknown}, {unknown, unknown, unknown}, {unknown, unknown, unknown}}};
    double scalar_flop_per_s = unknown; // of work that is not vectorised
    double vector_flop_per_s = unknown; // of vectorised work; not known for mv "00" and "10"
};

// Table 10 of ESCAPE D3.5; its symbols on the right.
struct GpuFacts {
    std::string architecture;                                        // "fermi", "kepler", "maxwell", ...
    double clock_Hz = unknown, memory_clock_Hz = unknown;            // CG, CM
    double bus_bit = unknown, multiprocessors = unknown;             // Gbit, SM
    double double_per_cycle = unknown;                               // OSMd, of one multiprocessor
    double single_per_cycle = unknown, integer_per_cycle = unknown;  // OSMf, OSMi
    double double_flop_per_s = unknown, single_flop_per_s = unknown; // Od, Of
    double integer_op_per_s = unknown;                               // Oi
    double B_per_s = unknown;                                        // Gmax
    double power_limit_W = unknown, average_power_W = unknown;       // table 36
};

struct Machine {
    std::string name;
    std::string source;                                           // where the numbers are from, in words
    double sockets = unknown, cores = unknown, threads = unknown; // of one node; hardware threads
    double figures_sockets = unknown; // that rates, bandwidths and powers are of; NaN: the whole node
    double clock_Hz = unknown;        // nominal
    double vector_length = unknown;   // numbers in a full vector register: the 64 in Tvm of Modeling Assertions
    std::vector<FlopRate> flop_rates;
    std::vector<LevelBandwidth> bandwidths;
    std::vector<MachineLevel> levels; // nearest first
    std::vector<NetworkLink> network;
    std::vector<PowerDraw> power;
    std::vector<LocalityBandwidth> locality;
    bool has_gpu = false;
    GpuFacts gpu;
    std::vector<std::string> remarks; // in words: what could not be measured and why, what was assumed
};

// Look-ups. Between two measured thread counts the value lies on the straight line between them; outside the measured
// range, and at a clock without rows, it is NaN: nothing is extrapolated. A clock of NaN means rows without a clock,
// else those at the nominal clock, else those at the highest.
//
// An empty `vector` or `access` takes the best of all rows.
[[nodiscard]] double flop_rate_of(const Machine &machine, MachineSetting at, std::string_view vector = "");
[[nodiscard]] double bandwidth_of(const Machine &machine, std::string_view level, MachineSetting at,
                                  std::string_view access = "");
// Behind "has no flop rate" and "has no bandwidth of L1": if there are none, and what to ask for instead.
[[nodiscard]] std::string why_no_flop_rate(const Machine &machine, MachineSetting at);
[[nodiscard]] std::string why_no_bandwidth(const Machine &machine, std::string_view level, MachineSetting at);
// One socket's or node's draw with `at.threads` at work; 0 threads: idle.
[[nodiscard]] PowerDraw power_of(const Machine &machine, MachineSetting at);
// Null if the machine has none for this score.
[[nodiscard]] const LocalityBandwidth *locality_of(const Machine &machine, std::string_view mv);
// Levels that have a bandwidth, nearest first.
[[nodiscard]] std::vector<std::string> levels_with_bandwidth(const Machine &machine);
// "turbo", "2.6 GHz".
[[nodiscard]] std::string clock_text(double clock_Hz);
// How many sockets the machine's figures are of; NaN: not known.
[[nodiscard]] double sockets_of_figures(const Machine &machine);
// Largest thread count of some rows; of those that are flop rates or bandwidths.
template <typename Row>
[[nodiscard]] int most_at_work(const std::vector<Row> &rows) {
    int most = 0;
    for (const Row &row : rows)
        most = std::max(most, row.at.threads);
    return most;
}
[[nodiscard]] int most_threads(const Machine &machine);
// The same setting; 0 threads become the most.
[[nodiscard]] MachineSetting on_all_threads(const Machine &machine, MachineSetting at);

// Gives a machine without [[locality]] rows those that follow from its other figures, for the MV scores for which
// they do, and returns in words how; empty: the machine has rows of its own, or too little is known of it.
//   TL 2 is L1, TL 1 is L2 (if there is none, L3), TL 0 is DRAM; M 1: the most threads that have a bandwidth, else
//   one. A line of 64 bytes has eight numbers: SL 2 uses all, SL 1 (every fourth) two, SL 0 (at random) one. Loads
//   of single numbers (V 0, or SL below 2) move 8 bytes, and a vector load moves a whole register:
//     B(M, V, SL, TL) = min(B_level x {1/8, 1/4, 1}, B_L1 x {1 if V 1 and SL 2, else 1 / numbers in a register})
//   Scalar rate: that of "scalar" rows, else the best divided by the numbers in a register.
[[nodiscard]] std::string derive_locality(Machine &machine);

} // namespace cpl_lb
