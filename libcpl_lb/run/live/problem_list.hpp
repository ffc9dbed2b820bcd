// Collects what goes wrong on this process while cpl_lb_terminate goes from step to step.
#pragma once

#include "mpi/problems.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cpl_lb {

class ProblemList {
public:
    // known: earlier problems; the first one gives the code.
    ProblemList(int rank, std::vector<Problem> known) : rank_(rank), problems_(std::move(known)) {
        for (const Problem &p : problems_)
            note(p.code);
    }

    void add(int code, std::string cause, std::int64_t count = 1) {
        note(code);
        problems_.push_back({std::move(cause), count, 1, rank_, code});
    }
    // Adds something that the user should know, although the run is good.
    void remark(Problem told) { problems_.push_back(std::move(told)); }
    // Called if results are not where the user wants them: the spool files have to stay.
    void lose_results(int code, std::string cause) {
        add(code, std::move(cause));
        results_lost_ = true;
    }
    void lose_results() { results_lost_ = true; }
    // Notes an error code; the first one counts.
    void note(int code) {
        if (code_ == 0) code_ = code;
    }
    void end_with(int code) { code_ = code; }

    [[nodiscard]] int code() const { return code_; }
    [[nodiscard]] bool results_lost() const { return results_lost_; }
    [[nodiscard]] const std::vector<Problem> &all() const { return problems_; }

private:
    int rank_;
    std::vector<Problem> problems_;
    int code_ = 0;
    bool results_lost_ = false;
};

} // namespace cpl_lb
