// --kinds, --on, --share, --nodes, --price: which nodes there are, and who may run on which of them.
#pragma once

#include "prediction/kinds_model.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cpl_lb {

struct KindOptions {
    std::string kinds, nodes, price;
    std::vector<std::string> on, share;
};

// All throw std::invalid_argument, one line with the option's name; unknown names with the nearest that there is.

// "gpu=100:4x18,cpu=200:128": 100 nodes of 4 GPUs with 18 cores each, 200 nodes of 128 cores.
[[nodiscard]] std::vector<KindOfNode> kinds_of_nodes(const std::string &text);
[[nodiscard]] std::vector<std::string> names_of(const std::vector<KindOfNode> &kinds);

// "ocean,ioserver=cpu:gpu", several times: by component the kinds that it may have.
using KindsByComponent = std::map<std::string, std::vector<std::size_t>>;
[[nodiscard]] KindsByComponent kinds_by_component(const std::vector<std::string> &texts,
                                                  const std::vector<std::string> &components,
                                                  const std::vector<KindOfNode> &kinds);

// "atmosphere+ocean", or "atmosphere:2+ocean:1.08": the first has the GPUs, with two cores for each of them.
struct SharedNodes {
    std::vector<NodeHalves> halves;
    std::int64_t host_cores = 1; // for each GPU, the same in all pairs
};
[[nodiscard]] SharedNodes shared_nodes(const std::vector<std::string> &texts,
                                       const std::vector<std::string> &components);

// "atmosphere=84,ocean=cpu:63": the nodes that a component has, and their kind where that is said.
struct GivenNodes {
    std::int64_t nodes = 0;
    std::optional<std::size_t> kind;
};
[[nodiscard]] std::map<std::string, GivenNodes> given_nodes(const std::string &text,
                                                            const std::vector<std::string> &components,
                                                            const std::vector<KindOfNode> &kinds);

// "gpu=12,cpu=1": of a GPU hour and a core hour; "fat-node=40": of a node hour of one kind. By kind, of a node hour.
[[nodiscard]] std::vector<double> node_prices(const std::string &text, const std::vector<KindOfNode> &kinds);

// --power "gpu=2000:800,cpu=700": watts of a node of each kind, busy and idle.
[[nodiscard]] std::vector<Power> node_power(const std::string &text, const std::vector<KindOfNode> &kinds);

} // namespace cpl_lb
