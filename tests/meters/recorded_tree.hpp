// Unfolds a recorded tree (tests/data/sysfs/README.md) into a temporary directory and takes it from state to state.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace cpl_lb_test {

class RecordedTree {
public:
    explicit RecordedTree(const std::string &name) {
        std::string pattern = (std::filesystem::temp_directory_path() / "cpl_lb_tree_XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary directory");
        root_ = pattern;
        read_states(std::string(CPL_LB_TEST_DATA) + "/sysfs/" + name + ".tree");
        step();
    }
    RecordedTree(const RecordedTree &) = delete;
    RecordedTree &operator=(const RecordedTree &) = delete;
    ~RecordedTree() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }

    [[nodiscard]] std::string root() const { return root_.string(); }
    void write(const std::string &path, const std::string &text) const {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text << '\n';
    }
    void step() {
        for (const std::string &line : states_.at(next_))
            apply(line);
        ++next_;
    }

private:
    void read_states(const std::string &file) {
        std::ifstream in(file);
        if (!in) throw std::runtime_error("no recorded tree " + file);
        states_.emplace_back();
        for (std::string line; std::getline(in, line);) {
            if (line.starts_with("---")) {
                states_.emplace_back();
            } else if (!line.empty() && line.front() != '#') {
                states_.back().push_back(line);
            }
        }
    }
    void apply(const std::string &line) const {
        const auto blank = line.find(' ');
        if (line.starts_with("- ")) {
            std::filesystem::remove_all(root_ / line.substr(2));
        } else {
            write(line.substr(0, blank), line.substr(blank + 1));
        }
    }

    std::filesystem::path root_;
    std::vector<std::vector<std::string>> states_;
    std::size_t next_ = 0;
};

} // namespace cpl_lb_test
