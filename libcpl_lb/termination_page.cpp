// The last result of cpl_lb_terminate: the page, from the figures and the timelines that are on the disk already.
#include "cpl_lb/cpl_lb.h"
#include "io/result_file.hpp"
#include "messages.hpp"
#include "page/page.hpp"
#include "termination.hpp"

namespace cpl_lb {

// What goes wrong here is told and changes nothing else: all figures are in the other files.
void Termination::write_report(const CoupledRun &run) {
    if (!r_.settings_.report) return;
    try {
        PageSources sources;
        for (const std::string &file : files_)
            if (file.starts_with("timeline_")) sources.timelines.push_back(path_in(r_.settings_.directory, file));
        if (!r_.settings_.timeline) sources.why_no_timeline = "timelines were switched off (ln_timeline)";
        sources.most_read = most_read_at_terminate;
        sources.most_held = static_cast<std::int64_t>(r_.memory_bound() / 64); // 16 bytes each: a quarter
        sources.longest_s = longest_at_terminate_s;
        write_page(path_in(r_.settings_.directory, page_file_name), run, sources);
        files_.emplace_back(page_file_name);
    } catch (const std::exception &e) {
        if (code_ == 0) code_ = CPL_LB_EIO;
        tell(std::string("the page could not be written: ") + in_words(e));
    }
}

} // namespace cpl_lb
