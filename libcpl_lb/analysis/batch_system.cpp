// Reads the core count from Slurm's, LSF's and PBS's variables, each of which writes it in its own way.
#include "analysis/batch_system.hpp"

#include <charconv>
#include <cstring>

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

} // namespace

std::int64_t slurm_cpus(const std::string &text, const NodeProcessors &node) {
    std::int64_t sum = 0;
    const char *at = text.data();
    const char *end = at + text.size();
    while (at != end) {
        const std::int64_t cpus = take_number(at, end);
        std::int64_t nodes = 1;
        if (end - at >= 2 && at[0] == '(' && at[1] == 'x') {
            at += 2;
            nodes = take_number(at, end);
            if (at == end || *at++ != ')') return 0;
        }
        if (cpus == 0 || nodes == 0) return 0;
        sum += in_cores(cpus, node) * nodes;
        if (at != end && *at++ != ',') return 0;
    }
    return sum;
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
