// The text file: the verdict, then the summary in the layout of the paper, then what else is known.
#include "report/text_summary.hpp"

#include "analysis/cpmip.hpp"
#include "report/format.hpp"
#include "report/text_sections.hpp"
#include "report/words.hpp"

namespace cpl_lb {
namespace {

std::string line(const std::string &label, double value) {
    return label + " : " + number_text(value) + "\n";
}

std::string verdict(const CoupledRun &run) {
    std::string text;
    for (const std::string &sentence : plain_words(run))
        text += wrapped(sentence, 80);
    return text + "\n";
}

std::string speed_and_cost(const CoupledRun &run) {
    std::string text = std::string(rule) + "Coupled model simulation time (s): " + number_text(run.run.wall_s) +
                       "\n" + "(coupled components only)\n" + rule + "\n";
    text += line("Speed (SYPD)", run.cpmip.sypd) + line("Cost (CHPSY)", run.cpmip.chsy) + "\n";
    for (const Component &component : run.components) {
        text += line("Model      " + table_name(component) + " simulation time", component.wall_s());
        text += "           cost (CHPSY): " + number_text(component_chsy(run, component)) + "\n";
    }
    return text + rule + "\n";
}

std::string balance_table(const CoupledRun &run) {
    TextTable table(" / ");
    for (const Component &component : run.components)
        table.row({table_name(component), number_text(component.balance.computing_s),
                   number_text(component.balance.waiting_s)});
    std::string idle;
    for (const Component &component : run.components)
        if (component.balance.is_io_server)
            idle += "(" + table_name(component) + " only takes data: its waiting is idle time)\n";
    return "Load balance analysis\n\n" + std::string(rule) + "Model / Computing time / Waiting time\n" + rule +
           table.text() + idle + rule + "\n";
}

std::string receive_times(const CoupledRun &run, const Component &component) {
    TextTable table(" : ");
    for (const WaitingFor &part : component.balance.waiting_for)
        table.row({"from model      " + short_name(run.component_name(part.component), table_name_columns),
                   number_text(part.get_s)});
    const std::string lines = table.text();
    const bool oasis = run.run.coupler.starts_with("OASIS");
    const std::string title =
        oasis ? "Specific oasis_get time\n(n/a if no oasis_get)\n" : "Specific GET time\n(n/a if no GET)\n";
    return title + (lines.empty() ? "n/a\n" : lines) + rule + "\n";
}

std::string operations(const ComponentBalance &b) {
    return "OASIS Operations :\n\n" + std::string(rule) + line("Total mapping/interpolation", b.mapping_s) +
           line("   with spread", b.mapping_spread_s) +
           "Total Netcdf output (OUTPUT+EXPOUT+restart): " + number_text(b.output_s) + "\n" +
           line("   with spread", b.output_spread_s) + line("   including restart", b.restart_s) +
           line("   with spread", b.restart_spread_s) + rule + "\n";
}

std::string additional_information(const CoupledRun &run) {
    std::string text = "Additional information\n\n";
    for (const Component &component : run.components) {
        const ComponentBalance &b = component.balance;
        text += rule + table_name(component) + "\n" + rule + receive_times(run, component);
        text += line("Total jitter", b.jitter_s) + "\n";
        text += "Partial coupling cost (%) : " + per_cent_text(b.coupling_cost) + "\n" +
                "Partial coupling cost including OASIS operations (%) : " +
                per_cent_text(b.coupling_cost_with_operations) + "\n\n";
        text += operations(b);
    }
    return text;
}

} // namespace

std::string text_summary(const CoupledRun &run) {
    std::string text = verdict(run) + speed_and_cost(run) + balance_table(run) + additional_information(run);
    text += std::string(rule) + "Total time of this load balancing analysis:\n : " + number_text(run.analysis_s) +
            "\n" + rule;
    return text + further_sections(run);
}

} // namespace cpl_lb
