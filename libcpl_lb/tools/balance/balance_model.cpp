// Builds the problem of the optimiser from the options of cpl-lb balance.
#include "tools/balance/balance_model.hpp"

#include "tools/balance/curve_sources.hpp"
#include "tools/processor_counts.hpp"

#include <algorithm>
#include <stdexcept>

namespace cpl_lb {
namespace {

void given_power(BalanceModel &model, const std::string &text) {
    model.power.clear();
    const auto given = component_numbers("--power", text, model.names);
    for (std::size_t c = 0; c < model.names.size(); ++c) {
        const std::vector<double> &watts = given[c];
        if (watts.empty() || watts.size() > 2 || !(watts[0] > 0) || watts.back() > watts[0])
            throw std::invalid_argument("--power: " + model.names[c] +
                                        " needs BUSY or BUSY:IDLE watts of a core, idle not above busy");
        model.power.push_back({watts.front(), watts.back()});
    }
}

void read_runs(BalanceModel &model, const BalanceOptions &options, SamplesByComponent &samples) {
    std::optional<CoupledPart> first;
    for (const std::string &directory : options.directories) {
        CoupledPart part = coupled_part(directory, options.without, options.order);
        refuse_unknown_cores(directory, part.run);
        add_remarks(model.remarks, part.run);
        if (first) check_same_model(*first, part, directory);
        add_run(model, part, samples);
        if (!first) first = std::move(part);
    }
    if (options.directories.size() > 1) settle_graph(model, *first);
}

void read_table(BalanceModel &model, const BalanceOptions &options, SamplesByComponent &samples) {
    samples = read_curves(options.curves);
    for (const auto &[name, list] : samples)
        model.names.push_back(name);
    model.layout.emplace(options.layout, model.names);
    model.pool = model.layout->pool();
    model.memory.resize(model.names.size());
    model.threads.assign(model.names.size(), 1);
    model.io_server.assign(model.names.size(), false);
    model.why_no_power = "a table of times says nothing of energy";
}

} // namespace

BalanceModel balance_model(const BalanceOptions &options) {
    BalanceModel model;
    SamplesByComponent samples;
    if (options.directories.empty()) {
        read_table(model, options, samples);
    } else {
        read_runs(model, options, samples);
        if (!options.curves.empty()) replace_samples(samples, options.curves, model.names);
    }
    if (options.no_sharing) model.pool = cores_of_their_own(model.names.size());
    model.curves = curves_of(samples, model.names, serial_parts(options.serial, model.names));
    if (options.node_memory_GB > 0)
        model.core_memory_B = options.node_memory_GB * 1e9 / static_cast<double>(options.cores_per_node);
    if (!options.power.empty()) given_power(model, options.power);
    return model;
}

} // namespace cpl_lb
