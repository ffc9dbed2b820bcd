// Collective operations. MPI does not tell when a process got what it waited for, so the whole time in the call
// counts as waiting.
#include "profiling/hooks.hpp"

#include <algorithm>

namespace cpl_lb::profiling {
namespace {

constexpr int no_root = std::min({other_program, other_part, other_world}) - 1;

int rank_in_world() {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

} // namespace

Together::Together(const Call &call, std::shared_ptr<const Communicator> over, Collective what, int root)
    : call_(call), what_(what), root_(root) {
    if (over && over->joins_components) communicator_ = std::move(over);
}

void TogetherInNew::after(bool good) {
    if (!good || !call_.session().records_exchanges()) return;
    auto made = call_.session().communicator(made_.get());
    if (made && made->joins_components) communicator_ = std::move(made);
    Together::after(true);
    if (communicator_) communicator_->is_new(made_.get());
}

void Together::after(bool good) {
    if (!good || !communicator_) return;
    const std::uint64_t end = Session::now();
    call_.session().poll_over();
    call_.session().collective(Session::Part::whole, *communicator_, what_, root_, call_.begin(), end);
}

// The root as its component. The parts of a split program do not know each other's names while it runs, so there it
// is the root's rank in MPI_COMM_WORLD; beyond the limit ranks share a field. In an intercommunicator the root itself
// passes MPI_ROOT, and the others pass its rank.
int Session::root_of(const Communicator &c, int root) const {
    const auto at = static_cast<std::size_t>(std::max(root, 0));
    if (naming_ == 0) return root == MPI_ROOT ? mine_ : c.component_of_rank.at(at);
    const int rank = root == MPI_ROOT ? rank_in_world() : c.rank_in_world.at(at);
    return c.collective_fields.size() < static_cast<std::size_t>(most_named_fields) ? rank : -1;
}

// The same words on all processes.
std::string Session::root_in_words(int root) const {
    if (naming_ > 0) return root < 0 ? "some root" : CPL_LB_RANK + std::to_string(root);
    return counterpart_name(root, "");
}

// The components in the communicator, unless it has all: most have no name, and operations are matched by name.
std::string Session::partners_in_words(const Communicator &c) const {
    const auto known = std::count_if(c.components.begin(), c.components.end(), [](int id) { return id >= 0; });
    if (naming_ > 0 || static_cast<std::size_t>(known) >= component_names_.size()) return {};
    std::string words;
    for (const int component : c.components)
        words += (words.empty() ? " of " : ", ") +
                 (component < 0 ? "others" : component_names_[static_cast<std::size_t>(component)]);
    return words;
}

// Beyond the limit, communicators with a new name share the fields of those without a name.
bool Session::keeps_collective_name(const std::string &name) {
    if (name.empty()) return false;
    if (collective_names_.contains(name)) return true;
    if (collective_names_.size() >= static_cast<std::size_t>(most_named_fields)) return false;
    collective_names_.insert(name);
    return true;
}

int Session::collective_field(const Communicator &c, bool blocks, Collective what, int root) {
    const int of = what == Collective::together ? no_root : root_of(c, root);
    const auto [at, is_new] = c.collective_fields.try_emplace({blocks, what, of}, 0);
    if (!is_new) return at->second;
    c.take_name();
    const std::string word = blocks ? "collective" : "nonblocking collective";
    std::string name = keeps_collective_name(c.name) ? c.name + " " + word : word + partners_in_words(c);
    if (what != Collective::together) name += (what == Collective::from_root ? " from " : " to ") + root_in_words(of);
    // Between two components the counterpart is the other one. Among more, terminate finds out who came last.
    std::vector<int> others = c.components;
    others.erase(std::remove(others.begin(), others.end(), mine_), others.end());
    const char *counterpart = others.size() == 1 ? counterpart_name(others.front(), "") : "";
    at->second = std::max(cpl_lb_field(name.c_str(), counterpart), 0);
    if (naming_ > 0 && of >= 0) cpl_lb_root(at->second, of);
    return at->second;
}

// In a Bcast, processes in the root's component wait only inside it, so they get no event. In a Gather the root waits
// for them, too, and then not for others.
void Session::collective(Part part, const Communicator &c, Collective what, int root, std::uint64_t begin,
                         std::uint64_t end) {
    const bool is_root = c.is_inter ? root == MPI_ROOT : root == c.rank;
    if (what != Collective::together && !is_root) {
        if (root < 0 || static_cast<std::size_t>(root) >= c.component_of_rank.size()) return; // MPI_PROC_NULL
        const bool with_root = c.component_of_rank[static_cast<std::size_t>(root)] == mine_;
        if (with_root && what == Collective::from_root) return;
    }
    const int field = collective_field(c, part == Part::whole, what, root);
    if (part != Part::start) return span(CPL_LB_SYNC, field, begin, end);
    poll_over();
    probe_over();
    cpl_lb_span(CPL_LB_PUT, &field, field > 0 ? 1 : 0, begin, begin); // the call itself waits for nobody
}

} // namespace cpl_lb::profiling
