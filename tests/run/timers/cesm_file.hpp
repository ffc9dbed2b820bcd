// A summary as CIME's get_timing writes it, from made-up numbers.
#pragma once

#include <cctype>
#include <cstdio>
#include <string>
#include <vector>

namespace cpl_lb::test {

struct CesmRow {
    std::string name, model;
    int root, tasks, threads, stride;
    double run_s;
    int pes = -1; // comp_pes; -1: tasks x threads
};

struct CesmFile {
    bool old_words = false; // run_length and pes per node, as before 2018
    std::string lid = "31415.host.260102-030405";
    std::string stop = "ndays, stop_n = 10", length = "10 days (10.0 for ocean)";
    std::string driver = "CMEPS";
    int cores = 96, node = 48;
    double init_s = 20, run_s = 1000, final_s = 0.5;
    std::vector<CesmRow> rows = {{"cpl", "cpl", 0, 64, 1, 1, 50},    {"atm", "cam", 0, 64, 1, 1, 500},
                                 {"lnd", "clm", 0, 32, 1, 1, 150},   {"ice", "cice", 32, 32, 1, 1, 300},
                                 {"ocn", "pop", 64, 32, 1, 1, 700},  {"rof", "mosart", 0, 32, 1, 1, 40},
                                 {"wav", "swav", 0, 32, 1, 1, 0.000}};
    std::string metrics; // lines of cost and throughput
    std::string timers;  // lines of the driver's timers

    [[nodiscard]] std::string text() const;
};

inline std::string padded(const std::string &word, std::size_t width) {
    return word + std::string(word.size() < width ? width - word.size() : 0, ' ');
}

inline std::string fixed(double value, int width, int decimals) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%*.*f", width, decimals, value);
    return buffer;
}

inline std::string CesmFile::text() const {
    std::string t =
        "---------------- TIMING PROFILE ---------------------\n  Case        : made.up\n  LID         : " + lid +
        "\n  Machine     : nowhere\n  Caseroot    : /cases/made.up\n  Curr Date   : Fri Jan  2 03:30:00 2026\n";
    if (!driver.empty()) t += "  Driver      : " + driver + "\n";
    t += "  grid        : a%f09\n  compset     : BHIST\n";
    const std::string blank = old_words ? "_" : " ";
    t += "  run" + blank + "type    : startup, continue_run = FALSE (inittype = TRUE)\n  stop" + blank +
         "option : " + stop + "\n  run" + blank + "length  : " + length + "\n\n";
    t += "  component       comp_pes    root_pe   tasks  x threads instances (stride) \n"
         "  ---------        ------     -------   ------   ------  ---------  ------  \n";
    for (const CesmRow &r : rows) {
        const int pes = r.pes < 0 ? r.tasks * r.threads : r.pes;
        t += "  " + r.name + " = " + padded(r.model, 8) + "   " + padded(std::to_string(pes), 6) + "      " +
             padded(std::to_string(r.root), 6) + "   " + padded(std::to_string(r.tasks), 6) + " x " +
             padded(std::to_string(r.threads), 6) + "  1      (" + padded(std::to_string(r.stride), 6) + ") \n";
    }
    t += "\n  total pes active           : " + std::to_string(cores) + " \n  " +
         (old_words ? "pes per node               : " : "mpi tasks per node         : ") + std::to_string(node) +
         " \n  pe count for cost estimate : " + std::to_string(cores) + " \n\n  Overall Metrics: \n" + metrics;
    t += "\n    Init Time   :  " + fixed(init_s, 10, 3) + " seconds \n    Run Time    :  " + fixed(run_s, 10, 3) +
         " seconds   " + fixed(run_s / 10, 10, 3) + " seconds/day \n    Final Time  :  " + fixed(final_s, 10, 3) +
         " seconds \n\nRuns Time in total seconds, seconds/model-day, and model-years/wall-day \n"
         "CPL Run Time represents time in CPL pes alone, not including time associated with data exchange\n\n";
    const auto line = [&](const std::string &upper, double seconds) {
        t += "    " + upper + " Run Time:  " + fixed(seconds, 10, 3) + " seconds   " + fixed(seconds / 10, 10, 3) +
             " seconds/mday   " + fixed(0, 10, 2) + " myears/wday \n";
    };
    line("TOT", run_s);
    for (const CesmRow &r : rows) {
        std::string upper = r.name;
        for (char &c : upper)
            c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        line(upper, r.run_s);
    }
    return t + "    CPL COMM Time:  " + fixed(10, 10, 3) +
           " seconds\n   NOTE: min:max driver timers (seconds/day):   \n\n" + timers;
}

} // namespace cpl_lb::test
