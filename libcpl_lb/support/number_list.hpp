// Whole numbers in an order, kept as runs of equal steps: tables with one number for each process of a run.
// Components and nodes are nearly always blocks of ranks, so that a table of 100,000 processes is a few numbers; at
// worst it is 16 bytes for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <span>
#include <vector>

namespace cpl_lb {

class NumberList {
public:
    struct Run {
        std::int32_t at;    // place of the first in the list
        std::int32_t first; // first, first + step, ...
        std::int32_t step;
        std::int32_t count;
        friend bool operator==(const Run &, const Run &) = default;
    };

    NumberList() = default;
    NumberList(std::initializer_list<std::int32_t> numbers)
        : NumberList(std::span(numbers.begin(), numbers.size())) {}
    // Both work as in a vector: lists are compared with vectors, and made from them.
    NumberList(const std::vector<std::int32_t> &numbers) // NOLINT(google-explicit-constructor)
        : NumberList(std::span(numbers)) {}
    explicit NumberList(std::span<const std::int32_t> numbers) {
        for (const std::int32_t n : numbers)
            push_back(n);
    }
    // first, first + 1, ...
    [[nodiscard]] static NumberList counting_from(std::int32_t first, std::size_t count) {
        NumberList list;
        if (count > 0) list.runs_.push_back({0, first, count > 1 ? 1 : 0, static_cast<std::int32_t>(count)});
        return list;
    }
    // Takes the runs of a message. False: they are not those of a list.
    [[nodiscard]] bool take_runs(std::vector<Run> runs);

    void push_back(std::int32_t number);
    // first, first + 1, ... below end.
    void push_counting(std::int32_t first, std::int32_t end);
    void assign(std::size_t count, std::int32_t number) {
        runs_.clear();
        if (count > 0) runs_.push_back({0, number, 0, static_cast<std::int32_t>(count)});
    }
    void clear() { runs_.clear(); }

    [[nodiscard]] bool empty() const { return runs_.empty(); }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_of_runs()); }
    [[nodiscard]] std::int32_t front() const { return runs_.front().first; }
    [[nodiscard]] std::int32_t back() const { return last_of(runs_.back()); }
    [[nodiscard]] std::int32_t operator[](std::size_t place) const;
    // The place of a number in an ascending list; size() if the list does not contain it.
    [[nodiscard]] std::size_t place_of(std::int32_t number) const;
    // The places of a number.
    [[nodiscard]] std::vector<std::int32_t> places_of(std::int32_t number) const;
    [[nodiscard]] std::int32_t least() const;
    [[nodiscard]] std::int32_t greatest() const;
    [[nodiscard]] std::vector<std::int32_t> all() const { return {begin(), end()}; }
    [[nodiscard]] const std::vector<Run> &runs() const { return runs_; }

    class Iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = std::int32_t;
        using difference_type = std::ptrdiff_t;
        using pointer = const std::int32_t *;
        using reference = std::int32_t;
        Iterator() = default;
        explicit Iterator(const Run *run) : run_(run) {}
        std::int32_t operator*() const { return value_of(*run_, in_run_); }
        Iterator &operator++() {
            if (++in_run_ == run_->count) {
                ++run_;
                in_run_ = 0;
            }
            return *this;
        }
        Iterator operator++(int) {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const Iterator &, const Iterator &) = default;

    private:
        const Run *run_ = nullptr;
        std::int32_t in_run_ = 0;
    };
    using const_iterator = Iterator;
    using value_type = std::int32_t;
    [[nodiscard]] Iterator begin() const { return Iterator(runs_.data()); }
    [[nodiscard]] Iterator end() const { return Iterator(runs_.data() + runs_.size()); }

    friend bool operator==(const NumberList &a, const NumberList &b) { return a.runs_ == b.runs_; }

private:
    [[nodiscard]] static std::int32_t value_of(const Run &run, std::int32_t i) {
        return static_cast<std::int32_t>(run.first + std::int64_t{run.step} * i);
    }
    [[nodiscard]] static std::int32_t last_of(const Run &run) { return value_of(run, run.count - 1); }
    [[nodiscard]] std::int32_t end_of_runs() const {
        return runs_.empty() ? 0 : runs_.back().at + runs_.back().count;
    }

    std::vector<Run> runs_; // a number goes to the run before it where it can: lists that are equal have equal runs
};

} // namespace cpl_lb
