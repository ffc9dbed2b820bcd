// Reads the core count from Slurm's, LSF's and PBS's variables, each of which writes it in its own way.
#include "analysis/batch_system.hpp"

#include "support/node_names.hpp"

#include <charconv>
#include <cstring>
#include <map>
#include <stdexcept>
#include <vector>

namespace cpl_lb {
namespace {

// Number at `at`, moved past it; 0 if there is none.
std::int64_t take_number(const char *&at, const char *end) {
    std::int64_t value = 0;
    const auto [rest, error] = std::from_chars(at, end, value);
    at = rest;
    return error == std::errc() && value > 0 && value <= 100'000'000 ? value : 0;
}

std::int64_t number_in(const char *text) {
    if (text == nullptr) return 0;
    const char *at = text;
    const char *end = text + std::strlen(text);
    const std::int64_t value = take_number(at, end);
    return at == end ? value : 0;
}

struct SlurmGroup {
    std::int64_t cpus = 0, nodes = 0; // of each node; how many nodes
};

// "72(x2),36"; none if the text does not have that form.
std::vector<SlurmGroup> slurm_groups(const std::string &text) {
    std::vector<SlurmGroup> groups;
    const char *at = text.data();
    const char *end = at + text.size();
    while (at != end) {
        const std::int64_t cpus = take_number(at, end);
        std::int64_t nodes = 1;
        if (end - at >= 2 && at[0] == '(' && at[1] == 'x') {
            at += 2;
            nodes = take_number(at, end);
            if (at == end || *at++ != ')') return {};
        }
        if (cpus == 0 || nodes == 0) return {};
        groups.push_back({cpus, nodes});
        if (at != end && *at++ != ',') return {};
    }
    return groups;
}

// More CPUs than cores: they are hardware threads.
std::int64_t in_cores(std::int64_t cpus, const NodeProcessors &node) {
    if (node.of_core <= 1 || cpus * node.of_core <= node.processors) return cpus;
    return (cpus + node.of_core - 1) / node.of_core;
}

// Cores that a variable of Slurm gives; 0 if it is not there, or not understood.
std::int64_t slurm_cores(const GetVariable &get, const std::string &name, const NodeProcessors &node) {
    const char *text = get(name.c_str());
    return text == nullptr ? 0 : slurm_cpus(text, node);
}

// All groups of a heterogeneous job; 0 if it is none, or one of them does not say.
std::int64_t cores_of_groups(const GetVariable &get, const NodeProcessors &node) {
    const std::int64_t groups = number_in(get("SLURM_HET_SIZE"));
    std::int64_t sum = 0;
    for (std::int64_t g = 0; g < groups; ++g) {
        const std::int64_t n = slurm_cores(get, "SLURM_JOB_CPUS_PER_NODE_HET_GROUP_" + std::to_string(g), node);
        if (n == 0) return 0;
        sum += n;
    }
    return sum;
}

// The cores of the node with this name, with or without its domain; 0: it is not in the list.
std::int64_t cores_in_list(const std::string &name, const char *list, const char *cpus, const NodeProcessors &node) {
    std::int64_t at = -1;
    try {
        const std::vector<NodePattern> names = read_node_patterns(list);
        at = place_in(names, name);
        if (at < 0) at = place_in(names, name.substr(0, name.find('.')));
    } catch (const std::invalid_argument &) {
        return 0; // a form that Slurm does not use today
    }
    for (const SlurmGroup &group : slurm_groups(cpus)) {
        if (at >= 0 && at < group.nodes) return in_cores(group.cpus, node);
        at -= group.nodes;
    }
    return 0;
}

// Lines with the name of a node, with or without its domain; 0: there are none, or two nodes may be meant.
std::int64_t lines_of_node(const std::string &node, const std::map<std::string_view, std::int64_t> &lines) {
    if (const auto exact = lines.find(node); exact != lines.end()) return exact->second;
    const std::string name = node.substr(0, node.find('.'));
    std::int64_t found = 0;
    for (auto at = lines.lower_bound(name); at != lines.end() && at->first.starts_with(name); ++at) {
        if (!is_same_host(node, at->first)) continue;
        if (found > 0) return 0;
        found = at->second;
    }
    return found;
}

} // namespace

std::vector<std::int64_t> torque_cores(const std::vector<std::string> &nodes, const GetVariable &get,
                                       std::string_view node_file) {
    const std::int64_t all = number_in(get("PBS_NP"));
    if (all == 0 || get("SLURM_JOB_ID") != nullptr) return {}; // Slurm has wrappers that speak PBS
    std::map<std::string_view, std::int64_t> lines;            // how often each name stands in the file
    for_each_host(node_file, [&](std::string_view name) { ++lines[name]; });
    if (lines.empty()) {
        const bool one = nodes.size() == 1 && number_in(get("PBS_NUM_NODES")) == 1;
        return one && number_in(get("PBS_NUM_PPN")) == all ? std::vector{all} : std::vector<std::int64_t>();
    }
    std::int64_t sum = 0;
    for (const auto &[name, count] : lines)
        sum += count;
    if (sum != all) return {};
    std::vector<std::int64_t> cores;
    cores.reserve(nodes.size());
    for (const std::string &node : nodes) {
        cores.push_back(lines_of_node(node, lines));
        if (cores.back() == 0) return {};
    }
    return cores;
}

std::int64_t slurm_cpus(const std::string &text, const NodeProcessors &node) {
    std::int64_t sum = 0;
    for (const SlurmGroup &group : slurm_groups(text))
        sum += in_cores(group.cpus, node) * group.nodes;
    return sum;
}

std::int64_t slurm_cores_on(const std::string &name, const GetVariable &get, const NodeProcessors &node) {
    const std::int64_t groups = number_in(get("SLURM_HET_SIZE"));
    for (std::int64_t g = groups > 0 ? 0 : -1; g < groups; ++g) {
        const std::string end = g < 0 ? "" : "_HET_GROUP_" + std::to_string(g);
        const char *list = get(("SLURM_JOB_NODELIST" + end).c_str());
        const char *cpus = get(("SLURM_JOB_CPUS_PER_NODE" + end).c_str());
        if (list == nullptr || cpus == nullptr) continue;
        if (const std::int64_t found = cores_in_list(name, list, cpus, node); found > 0) return found;
        if (g < 0) break;
    }
    return 0;
}

AllocatedCores allocated_cores(const GetVariable &get, const NodeProcessors &node) {
    if (const std::int64_t n = cores_of_groups(get, node); n > 0) return {n, "SLURM_JOB_CPUS_PER_NODE of all groups"};
    if (const std::int64_t n = slurm_cores(get, "SLURM_JOB_CPUS_PER_NODE", node); n > 0)
        return {n, "SLURM_JOB_CPUS_PER_NODE"};
    if (const std::int64_t n = number_in(get("LSB_DJOB_NUMPROC")); n > 0) return {n, "LSB_DJOB_NUMPROC"};
    if (const std::int64_t n = number_in(get("PBS_NP")); n > 0) return {n, "PBS_NP"};
    const std::int64_t nodes = number_in(get("PBS_NUM_NODES"));
    const std::int64_t per_node = number_in(get("PBS_NUM_PPN"));
    if (nodes > 0 && per_node > 0) return {nodes * in_cores(per_node, node), "PBS_NUM_NODES x PBS_NUM_PPN"};
    return {};
}

AllocatedCores cores_of_job(std::int64_t asked, const GetVariable &get, const NodeProcessors &node) {
    return asked > 0 ? AllocatedCores{asked, "nn_cores"} : allocated_cores(get, node);
}

} // namespace cpl_lb
