// The output of cpl-lb machine gpu: text and json.
#include "io/json/json_tree.hpp"
#include "projection/tools/project/project_output.hpp"
#include "report/format.hpp"
#include "support/decimal_text.hpp"
#include "support/fmt.hpp"

namespace cpl_lb {
namespace {

using Json = JsonTree;

// Times of kernels span decades: three digits, as the paper's tables.
void add_row(TextTable &table, const std::string &name, const GpuTime &t, double measured_s) {
    table.row({name, digits_text(t.compute_s(), 3), digits_text(t.transfer_s, 3), digits_text(t.waiting_s(), 3),
               digits_text(t.total_s(), 3), digits_text(measured_s, 3),
               change_text(100 * (t.total_s() / measured_s - 1), 2)});
}

std::string domain_as_text(const GpuProjection &p) {
    std::string text =
        fmt::format("{}, {} cells{}\n\n", safe_name(p.machine), count_text(static_cast<std::int64_t>(p.cells)),
                    p.domain.find('x') == std::string::npos ? "" : " (" + p.domain + ")");
    TextTable table;
    table.row(
        {"kernel", "computing [s]", "transfer [s]", "inactive [s]", "total [s]", "measured [s]", "difference [%]"});
    std::vector<double> differences;
    for (std::size_t k = 0; k < p.kernels.size(); ++k) {
        add_row(table, short_name(p.kernels[k].name, 30), p.times[k], p.measured_s[k]);
        if (is_known(p.measured_s[k])) differences.push_back(p.times[k].total_s() / p.measured_s[k] - 1);
    }
    add_row(table, "all", p.all(), p.measured_all_s);
    text += table.text();
    if (!differences.empty())
        text += fmt::format("\nRoot mean square of the kernels' differences: {}.\n",
                            share_in_words(root_mean_square(differences)));
    return text + "\n";
}

void add_time(Json &json, const GpuTime &t, double measured_s) {
    json["compute_s"] = t.compute_s();
    json["transfer_s"] = t.transfer_s;
    json["inactive_s"] = t.waiting_s();
    json["total_s"] = t.total_s();
    json["measured_s"] = measured_s;
    json["difference"] = t.total_s() / measured_s - 1;
}

} // namespace

GpuTime GpuProjection::all() const {
    GpuTime sum;
    for (const GpuTime &t : times)
        sum += t;
    return sum;
}

std::string characteristics_as_text(const std::vector<GpuKernel> &kernels, const std::string &domain,
                                    const std::vector<std::string> &profiles) {
    TextTable table;
    table.row({"kernel", "launches", "P_i [%]", "P_m [%]", "P_cfl [%]", "G_e [%]", "G_r [B]", "i_i", "i_f", "i_d",
               "I_e", "IPC_e"});
    for (const GpuKernel &k : kernels) {
        std::vector<std::string> cells = {short_name(k.name, 30)};
        for (const GpuFigure &f : gpu_figures())
            cells.push_back(f.is_share ? per_cent_text(k.*f.figure) : digits_text(k.*f.figure, 3));
        table.row_of_words(cells);
    }
    return fmt::format("Kernels as profiled on {} cells{}\n\n", safe_name(domain),
                       profiles.size() > 1 ? fmt::format(", mean of {} cards", profiles.size()) : std::string()) +
           table.text() +
           "\nShares of the time inactive, of miscellaneous and of control-flow instructions; part of the moved "
           "bytes "
           "that is asked\nfor; bytes, integer, single, double and warp instructions of one launch and one cell; "
           "instructions per cycle.\n\n";
}

std::string gpu_as_text(const std::vector<GpuProjection> &projections) {
    std::string text;
    for (const GpuProjection &p : projections)
        text += domain_as_text(p);
    return text +
           "Computing, transfer and inactive time are added, not overlapped; \"inactive\" holds miscellaneous and "
           "control\ninstructions, too. Data between the processor and the card are not in the model.\n";
}

std::string gpu_as_json(const std::vector<GpuProjection> &projections) {
    Json root = Json::array();
    for (const GpuProjection &p : projections) {
        Json one = {{"machine", p.machine}, {"domain", p.domain}, {"cells", p.cells}};
        for (std::size_t k = 0; k < p.kernels.size(); ++k) {
            Json kernel = {{"kernel", p.kernels[k].name}};
            add_time(kernel, p.times[k], p.measured_s[k]);
            one["kernels"].push_back(std::move(kernel));
        }
        add_time(one["all"], p.all(), p.measured_all_s);
        root.push_back(std::move(one));
    }
    return root.dump(2) + "\n";
}

} // namespace cpl_lb
