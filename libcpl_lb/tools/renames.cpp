// Gives components other names, wherever a run has them.
#include "tools/renames.hpp"

#include <algorithm>
#include <stdexcept>

namespace cpl_lb {
namespace {

template <class Components>
void refuse_doubles(const Components &components) {
    std::set<std::string> names;
    for (const auto &c : components)
        if (!names.insert(c.name).second)
            throw std::invalid_argument("--rename: two components of a run are then called '" + c.name + "'");
}

} // namespace

void Renames::add_option(cli::App &command) {
    command
        .add_option(
            "--rename", given_,
            "OLD=NEW: the component OLD is called NEW, in all runs that have it; for runs whose components were "
            "named otherwise")
        ->again();
}

std::string Renames::new_name(const std::string &name) {
    for (const std::string &one : given_) {
        const std::size_t at = one.find('=');
        if (at == std::string::npos || at == 0 || at + 1 == one.size())
            throw std::invalid_argument("--rename: not OLD=NEW: '" + one + "'");
        if (name != one.substr(0, at)) continue;
        used_.insert(one);
        return one.substr(at + 1);
    }
    return name;
}

void Renames::apply(CoupledRun &run) {
    for (std::string &name : run.component_names)
        name = new_name(name);
    for (Component &c : run.components)
        c.name = new_name(c.name);
    refuse_doubles(run.components);
}

void Renames::apply(RunRecord &run) {
    for (ComponentRecord &c : run.components)
        c.name = new_name(c.name);
    run.slow_side = new_name(run.slow_side);
    refuse_doubles(run.components);
}

void Renames::check_all_used() const {
    for (const std::string &one : given_)
        if (!used_.contains(one))
            throw std::invalid_argument("--rename: no run has a component '" + one.substr(0, one.find('=')) + "'");
}

} // namespace cpl_lb
