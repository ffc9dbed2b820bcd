// Writes the global definitions of an OTF2 archive. Readers want those of one sort in ascending order.
#include "export/otf2_definitions.hpp"

#include "analysis/exchanges.hpp"
#include "io/files/file_error.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace cpl_lb {
namespace {

// Exchanges are communication to every reader, so that what they call "useful" is the rest; files are files.
std::pair<OTF2_RegionRole, OTF2_Paradigm> role_of(const Otf2What &what) {
    if (what.root) return {OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER};
    switch (what.kind) {
    case Kind::put:
    case Kind::get:
        return {OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI};
    case Kind::sync:
        return {OTF2_REGION_ROLE_COLL_OTHER, OTF2_PARADIGM_MPI};
    case Kind::out:
    case Kind::read:
    case Kind::rst:
        return {OTF2_REGION_ROLE_FILE_IO, OTF2_PARADIGM_USER};
    case Kind::trn:
        return {OTF2_REGION_ROLE_DATA_TRANSFER, OTF2_PARADIGM_USER};
    default:
        return {OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER};
    }
}

class Definitions {
public:
    Definitions(OTF2_GlobalDefWriter *writer, const std::string &path, const CoupledRun &run)
        : writer_(writer), path_(path), run_(run) {}

    void clock(OTF2_TimeStamp last_time) {
        check(OTF2_GlobalDefWriter_WriteClockProperties(writer_, 1'000'000'000, 0, last_time,
                                                        OTF2_UNDEFINED_TIMESTAMP));
        none_ = text("");
    }
    void regions(const std::map<Otf2What, OTF2_RegionRef> &regions) {
        std::vector<const Otf2What *> by_region(regions.size());
        std::map<std::string_view, std::vector<std::uint64_t>> by_group; // viewers give each group a colour
        for (const auto &[what, region] : regions) {
            by_region[region] = &what;
            by_group[what.root ? "computing" : name_of(what.kind)].push_back(region);
        }
        for (std::size_t region = 0; region < by_region.size(); ++region) {
            const OTF2_StringRef name = text(name_of_region(*by_region[region]));
            const auto [role, paradigm] = role_of(*by_region[region]);
            check(OTF2_GlobalDefWriter_WriteRegion(writer_, static_cast<OTF2_RegionRef>(region), name, name, none_,
                                                   role, paradigm, OTF2_REGION_FLAG_NONE, none_, 0, 0));
        }
        for (const auto &[name, members] : by_group)
            group(name, OTF2_GROUP_TYPE_REGIONS, OTF2_PARADIGM_USER, members);
    }
    // The run, in it the components, in each its processes with one thread: the events are those of the process.
    void system_tree(const std::vector<Otf2Location> &locations) {
        constexpr OTF2_SystemTreeNodeRef root = 0;
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, root, text("coupled model"), text("machine"),
                                                       OTF2_UNDEFINED_SYSTEM_TREE_NODE));
        std::map<std::int32_t, OTF2_SystemTreeNodeRef> nodes;
        for (const Otf2Location &location : locations) {
            const auto node = static_cast<OTF2_SystemTreeNodeRef>(nodes.size() + 1);
            if (!nodes.try_emplace(location.component->id, node).second) continue;
            check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, node, text(location.component->name),
                                                           text("component"), root));
        }
        for (std::size_t l = 0; l < locations.size(); ++l) {
            const Otf2Location &location = locations[l];
            const OTF2_StringRef name = text(location.component->name + " " + std::to_string(location.process));
            const auto process = static_cast<OTF2_LocationGroupRef>(l);
            check(OTF2_GlobalDefWriter_WriteLocationGroup(writer_, process, name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                          nodes.at(location.component->id),
                                                          OTF2_UNDEFINED_LOCATION_GROUP));
            check(OTF2_GlobalDefWriter_WriteLocation(writer_, l, name, OTF2_LOCATION_TYPE_CPU_THREAD, location.events,
                                                     process));
        }
    }
    // A communicator of all, on which the arrows lie, and one of each component, which viewers list as groups of
    // processes.
    void groups_and_communicators(const std::vector<Otf2Location> &locations) {
        std::vector<std::uint64_t> all(locations.size()); // both: the locations, and ranks in the list of them
        std::iota(all.begin(), all.end(), std::uint64_t{0});
        group("", OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, all);
        std::vector<std::pair<std::string, OTF2_GroupRef>> communicators = {{"coupled model", groups_}};
        group("coupled model", OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, all);
        for (const Component &component : run_.components) {
            std::vector<std::uint64_t> own;
            for (const std::uint64_t l : all)
                if (locations[l].component == &component) own.push_back(l);
            if (own.empty()) continue;
            group(component.name, OTF2_GROUP_TYPE_LOCATIONS, OTF2_PARADIGM_USER, own);
            communicators.emplace_back(component.name, groups_);
            group(component.name, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, own);
        }
        for (std::size_t c = 0; c < communicators.size(); ++c) {
            const auto self = static_cast<OTF2_CommRef>(c);
            check(OTF2_GlobalDefWriter_WriteComm(writer_, self, text(communicators[c].first), communicators[c].second,
                                                 self == otf2_comm_of_run ? OTF2_UNDEFINED_COMM : otf2_comm_of_run,
                                                 OTF2_COMM_FLAG_NONE));
        }
    }

private:
    void check(OTF2_ErrorCode code) const { check_otf2(code, path_); }
    OTF2_StringRef text(const std::string &value) {
        const auto [found, is_new] = texts_.try_emplace(value, static_cast<OTF2_StringRef>(texts_.size()));
        if (is_new) check(OTF2_GlobalDefWriter_WriteString(writer_, found->second, value.c_str()));
        return found->second;
    }
    [[nodiscard]] std::string name_of_region(const Otf2What &what) const {
        if (what.root) return run_.component_name(what.counterpart);
        std::string name(name_of(what.kind));
        if (what.field > 0) name += " " + field_name(run_, what.field);
        if (what.counterpart <= 0) return name;
        const char *way = what.kind == Kind::put    ? " to "
                          : what.kind == Kind::get  ? " from "
                          : what.kind == Kind::sync ? ", last came "
                                                    : ", ";
        return name + way + run_.component_name(what.counterpart);
    }
    void group(std::string_view name, OTF2_GroupType type, OTF2_Paradigm paradigm,
               const std::vector<std::uint64_t> &members) {
        const OTF2_StringRef name_text = text(std::string(name));
        check(OTF2_GlobalDefWriter_WriteGroup(writer_, groups_++, name_text, type, paradigm, OTF2_GROUP_FLAG_NONE,
                                              static_cast<std::uint32_t>(members.size()), members.data()));
    }

    OTF2_GlobalDefWriter *writer_;
    const std::string &path_;
    const CoupledRun &run_;
    std::map<std::string, OTF2_StringRef> texts_;
    OTF2_StringRef none_ = 0;
    OTF2_GroupRef groups_ = 0;
};

} // namespace

void check_otf2(OTF2_ErrorCode code, const std::string &path) {
    if (code != OTF2_SUCCESS) throw FileError(path, std::string("OTF2: ") + OTF2_Error_GetDescription(code));
}

void write_otf2_definitions(OTF2_Archive *archive, const std::string &path, const CoupledRun &run,
                            const std::map<Otf2What, OTF2_RegionRef> &regions,
                            const std::vector<Otf2Location> &locations, OTF2_TimeStamp last_time) {
    OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);
    if (writer == nullptr) throw FileError(path, "OTF2 cannot write definitions");
    Definitions definitions(writer, path, run);
    definitions.clock(last_time);
    definitions.regions(regions);
    definitions.system_tree(locations);
    definitions.groups_and_communicators(locations);
}

} // namespace cpl_lb
