// Lets balance answer for nodes that are given.
#include "tools/predict/predict_kinds.hpp"

#include "tools/balance/kinds_command.hpp"

namespace cpl_lb {

void predict_over_kinds(const BalanceOptions &options, const std::vector<std::pair<bool, std::string>> &others) {
    for (const auto &[option_given, option] : others) {
        if (option_given) {
            throw cli::WrongUsage(option + " does not go with --kinds, which predicts other nodes only (--nodes): "
                                           "leave one of the two out");
        }
    }
    if (options.directories.empty() && (options.curves.empty() || options.layout.empty()))
        throw cli::WrongUsage("predict --kinds needs the folder of a run, or --curves with --layout");
    BalanceOptions given = options;
    given.as_given = true;
    balance_over_kinds(given);
}

void check_without_kinds(const BalanceOptions &options) {
    if (options.kind.any() || !options.layout.empty() || !options.power.empty()) {
        throw cli::WrongUsage(
            "--on, --share, --host-cores, --nodes, --price, --power and --layout need --kinds, such "
            "as --kinds gpu=100:4x18,cpu=200:128");
    }
    if (options.directories.empty())
        throw cli::WrongUsage("predict needs the folder of a run; only with --kinds is a table enough");
}

} // namespace cpl_lb
