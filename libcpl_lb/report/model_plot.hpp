// Figure 4 of Balaji et al. 2017: speed over resolution, the complexity as the size of a square.
#pragma once

#include "data/model_row.hpp"

#include <string>
#include <vector>

namespace cpl_lb {

// "CM2.6 S", as table 1 of the paper names its rows; without a letter where the mode is not said.
[[nodiscard]] std::string model_name(const ModelRow &row);

// A page of its own, without fonts or scripts from elsewhere. The run is the last of the rows and is drawn in colour;
// rows in speed mode are hollow. Names lie on no other text; a legend says what the marks mean. Rows without
// resolution or speed are left out.
[[nodiscard]] std::string model_plot_svg(const std::vector<ModelRow> &rows);
// For a terminal of 80 columns: a letter for each row, '*' for the run, and which letter is which.
[[nodiscard]] std::string model_plot_text(const std::vector<ModelRow> &rows);
// The rows as a table, the run (the last) marked, in the order of their resolutions.
[[nodiscard]] std::string model_table(const std::vector<ModelRow> &rows);

} // namespace cpl_lb
