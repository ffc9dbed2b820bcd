// The fields of exchanges: named after the communicator and the tag, and for each of the other components.
#include "profiling/session.hpp"

#include <array>
#include <string>

namespace cpl_lb::profiling {

void Communicator::is_new(MPI_Comm comm) const {
    named_by = comm;
    fields = nullptr;
    collective_fields.clear();
}

void Communicator::take_name() const {
    if (named_by == MPI_COMM_NULL) return;
    std::array<char, MPI_MAX_OBJECT_NAME + 1> given{};
    int length = 0;
    PMPI_Comm_get_name(named_by, given.data(), &length);
    named_by = MPI_COMM_NULL;
    name = given.data();
    // Names that MPI makes up are not the same on all processes.
    if (name.rfind("MPI COMM", 0) == 0) name.clear();
}

namespace {

constexpr int other_tags = -2; // no message has this tag

std::uint64_t field_key(int component, int tag) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(tag)) << 32U | static_cast<std::uint32_t>(component);
}

} // namespace

int Session::field_with(const Communicator &c, int component, int tag) {
    if (c.fields == nullptr) {
        c.take_name();
        c.fields = &fields_named(c.name);
    }
    const auto at = c.fields->find(field_key(component, tag));
    if (at != c.fields->end()) return at->second;
    if (field_count_ >= most_named_fields) tag = other_tags; // so that the table grows no more
    const auto [place, is_new] = c.fields->try_emplace(field_key(component, tag), 0);
    if (is_new) place->second = new_field(c, component, tag);
    return place->second;
}

// Beyond the limit new names are treated as no name.
std::unordered_map<std::uint64_t, int> &Session::fields_named(const std::string &name) {
    const auto at = fields_.find(name);
    if (at != fields_.end()) return at->second;
    return fields_[field_count_ < most_named_fields ? name : ""];
}

const char *Session::counterpart_name(int component, const char *of_another_part) const {
    if (component == other_program) return "not recorded";
    if (component == other_world) return "another MPI world";
    if (component == other_part) return of_another_part;
    return component_names_[static_cast<std::size_t>(component)].c_str();
}

int Session::new_field(const Communicator &c, int component, int tag) {
    std::string name = c.name.empty() || c.fields == &fields_[""] ? "" : c.name + " ";
    name += tag == other_tags ? "other tags" : "tag " + std::to_string(tag);
    ++field_count_;
    return known_field(name.c_str(), component, ""); // terminate finds it: the one that has the same field
}

int Session::known_field(const char *name, int component, const char *of_another_part) {
    const int id = cpl_lb_field(name, counterpart_name(component, of_another_part));
    if (id <= 0) return 0;
    if (component == other_program || component == other_world) logs_.leave_out(id);
    return id;
}

// The key holds only the first letter of the name, in which the names differ.
int Session::unmatched_field_with(int component, const char *what) {
    const auto key =
        static_cast<std::uint64_t>(static_cast<unsigned char>(*what)) << 32U | static_cast<std::uint32_t>(component);
    const auto [at, is_new] = unmatched_.try_emplace(key, 0);
    if (is_new) at->second = known_field(what, component, CPL_LB_ANOTHER_PART);
    return at->second;
}

} // namespace cpl_lb::profiling
