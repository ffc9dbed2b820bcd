// The symbolic model of a code: its annotated blocks with their expressions in the input parameters, as a run left
// them or a table gives them (Modeling Assertions). What the predictors and the sensitivities start from.
#pragma once

#include "assertions/expression.hpp"
#include "data/coupled_run.hpp"
#include "projection/machine/machine.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace cpl_lb {

// A parameter, block or expression that cannot be used; one line that names it.
class AssertionModelError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct BlockQuantity {
    std::string name; // "flops"
    Expression expression;
    double value = unknown;    // of the run, all calls of one process; NaN: no run, or none there
    double measured = unknown; // likewise
    std::string measured_by, why_not_measured;
};

struct ModelBlock {
    std::string component, region;
    double calls = 1; // of one process
    double measured_s = unknown;
    std::vector<BlockQuantity> quantities;

    [[nodiscard]] const BlockQuantity *find(std::string_view quantity) const; // null: not annotated
};

struct ModelParameter {
    std::string name;
    double value = unknown;
    bool varies = false; // between processes, or while the model ran: `value` is a mean
};

struct AssertionModel {
    std::string source; // for messages
    std::vector<ModelParameter> parameters;
    std::vector<ModelBlock> blocks;
    bool of_run = false;     // false: of a table
    bool as_measured = true; // false: a parameter was set to another value than the run's

    // Throws AssertionModelError for a name that no expression has, or a value that is not finite.
    void set(std::string_view name, double value);
    // The value of one call with the parameters' values. `by`: the place of the parameter for the slope, or none.
    [[nodiscard]] Expression::Result evaluate(const Expression &expression, std::size_t by = Expression::none) const;
};

// From the annotations of a run. An expression that cannot be read is an error, because the run read it.
[[nodiscard]] AssertionModel assertion_model_of(const CoupledRun &run, const std::string &source);

// The run time of a block on a machine, predicted from its work (Modeling Assertions, section 3.4 and figure 1):
//   vectorised T = Tv + Ts, else T = Ts;  Tv = Tvc + Tvm, Ts = Tsc + Tsm
//   Tvc = VFLOPS / vector rate    Tvm = (VLOADS + VSTORES) 8 L / (BW AVL), L: numbers in a full vector register
//   Tsc = SFLOPS / scalar rate    Tsm = (SLOADS + SSTORES) 8 / BW
// with rates and BW by the block's MV score and locality levels, from the machine's [[locality]] rows.

// Section 4.2: all that is known; without the average vector length; without it and with the lowest, or the highest,
// bandwidth of the MV score instead of that of the locality levels.
enum class Strategy : std::uint8_t { pred, pred_novl, pred_lb, pred_hb };
inline constexpr std::array<Strategy, 4> all_strategies = {Strategy::pred, Strategy::pred_novl, Strategy::pred_lb,
                                                           Strategy::pred_hb};
[[nodiscard]] std::string_view name_of(Strategy strategy); // as the paper has it

// What a block does in all its calls, sorted by how it does it; slopes by one parameter.
struct SortedWork {
    std::string mv;       // "00", "10", "01", "11"
    int sl = -1, tl = -1; // -1: not known
    Slope vector_flops{0, 0}, scalar_flops{0, 0};
    Slope vector_numbers{0, 0}, scalar_numbers{0, 0}; // loads and stores, of 8 bytes
    Slope avl;                                        // NaN: not known
    std::string why_no_time;                          // not empty: what the author must say first

    [[nodiscard]] bool is_vectorised() const { return mv.size() == 2 && mv[1] == '1'; }
};
// At the model's parameters; where the run has a value it holds. What is not said to be vector work is vector work in
// a vectorised block, where vflops, vloads or vstores are not given, and scalar work elsewhere.
[[nodiscard]] SortedWork sorted_work(const AssertionModel &model, const ModelBlock &block,
                                     std::size_t by = Expression::none);

struct TimePrediction {
    Slope seconds;
    double vector_compute_s = unknown, vector_memory_s = unknown; // Tvc, Tvm
    double scalar_compute_s = unknown, scalar_memory_s = unknown; // Tsc, Tsm
    double bandwidth_B_per_s = unknown;
    std::string why; // not empty: why there is no prediction
};
[[nodiscard]] TimePrediction predict_time(const SortedWork &work, const Machine &machine, Strategy strategy);

// The bandwidth that a strategy uses; NaN if the machine or the block does not say it.
[[nodiscard]] double bandwidth_for(const LocalityBandwidth &row, int sl, int tl, Strategy strategy);

// The bandwidth at which `pred` gives the measured time: the model adds computing and memory, so what the block needs
// for its operations at the machine's rates is taken off the measured time first, and short vectors count as in Tvm.
struct ObservedBandwidth {
    double B_per_s = unknown, memory_s = unknown; // memory_s: what is left of the measured time
    std::string why;                              // not empty: why it is not known
};
[[nodiscard]] ObservedBandwidth observed_bandwidth(const SortedWork &work, const Machine &machine, double measured_s);

// The locality levels whose bandwidth is nearest to an observed one: how the paper finds SL and TL (section 4.1).
// More than one where several have the same bandwidth; none if the machine has no bandwidths.
struct LocalityLevels {
    int sl = 0, tl = 0;
};
[[nodiscard]] std::vector<LocalityLevels> levels_near(const LocalityBandwidth &row, double observed_B_per_s);

// Per cent of the value for a per cent of the parameter: slope x parameter / value.
[[nodiscard]] double elasticity(Slope value, double parameter);

} // namespace cpl_lb
