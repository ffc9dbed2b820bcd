// Writes the definitions and the events of an OTF2 archive through its library.
#include "export/otf2.hpp"

#include "analysis/nesting.hpp"
#include "io/files/file_error.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <otf2/otf2.h>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

namespace cpl_lb {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t event_chunk = 1U << 20U, definition_chunk = 4U << 20U; // OTF2's own defaults

OTF2_FlushType flush_to_file(void * /*data*/, OTF2_FileType /*type*/, OTF2_LocationRef /*location*/,
                             void * /*caller*/, bool /*final*/) {
    return OTF2_FLUSH;
}

class Otf2Sink final : public EventSink {
public:
    Otf2Sink(std::string folder, const CoupledRun &run)
        : folder_(std::move(folder)), part_(part_of(folder_)), run_(run) {
        if (fs::exists(folder_)) throw FileError(folder_, "exists already: give another folder with -o");
        std::error_code ignored;
        fs::remove_all(part_, ignored); // of a run of this process id that was killed
        archive_ = OTF2_Archive_Open(part_.c_str(), "traces", OTF2_FILEMODE_WRITE, event_chunk, definition_chunk,
                                     OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
        if (archive_ == nullptr) throw FileError(folder_, "OTF2 cannot create it");
        static constexpr OTF2_FlushCallbacks callbacks = {flush_to_file, nullptr};
        check(OTF2_Archive_SetFlushCallbacks(archive_, &callbacks, nullptr));
        check(OTF2_Archive_SetSerialCollectiveCallbacks(archive_));
        check(OTF2_Archive_OpenEvtFiles(archive_));
    }
    ~Otf2Sink() override {
        if (archive_ != nullptr) OTF2_Archive_Close(archive_);
        std::error_code ignored;
        fs::remove_all(part_, ignored);
    }
    Otf2Sink(const Otf2Sink &) = delete;
    Otf2Sink &operator=(const Otf2Sink &) = delete;

    void row(const Component &component, std::int64_t process, const Row &row) override {
        const auto location = static_cast<OTF2_LocationRef>(locations_.size());
        OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive_, location);
        if (writer == nullptr) throw FileError(folder_, "OTF2 cannot write events");
        const std::vector<Edge> edges = edges_of(component, row);
        for (const Edge &edge : edges) {
            check(edge.enters ? OTF2_EvtWriter_Enter(writer, nullptr, edge.time, edge.region)
                              : OTF2_EvtWriter_Leave(writer, nullptr, edge.time, edge.region));
        }
        check(OTF2_Archive_CloseEvtWriter(archive_, writer));
        locations_.push_back({&component, process, edges.size()});
    }

    void finish() override {
        check(OTF2_Archive_CloseEvtFiles(archive_));
        check(OTF2_Archive_OpenDefFiles(archive_));
        for (std::size_t l = 0; l < locations_.size(); ++l)
            check(OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, l)));
        check(OTF2_Archive_CloseDefFiles(archive_));
        definitions();
        OTF2_Archive *archive = std::exchange(archive_, nullptr);
        check(OTF2_Archive_Close(archive));
        std::error_code error;
        fs::rename(part_, folder_, error);
        if (error) throw FileError(folder_, "cannot put the finished folder in place: " + error.message());
    }

private:
    struct Edge {
        OTF2_TimeStamp time = 0;
        OTF2_RegionRef region = 0;
        bool enters = false;
    };
    struct Location {
        const Component *component;
        std::int64_t process;
        std::uint64_t events;
    };
    using What = std::tuple<Kind, std::int32_t, std::int32_t>;

    static std::string part_of(const std::string &folder) {
        const fs::path whole(folder);
        return (whole.parent_path() / ("." + whole.filename().string() + "." + std::to_string(::getpid()) + ".part"))
            .string();
    }
    void check(OTF2_ErrorCode code) const {
        if (code != OTF2_SUCCESS) throw FileError(folder_, std::string("OTF2: ") + OTF2_Error_GetDescription(code));
    }
    // Times before the run's zero (none in sound data) become it: OTF2 counts upwards only.
    static OTF2_TimeStamp ticks(Nanoseconds t) { return t > 0 ? static_cast<OTF2_TimeStamp>(t) : 0; }

    // In order of time; at the same time the one inside leaves before, and enters after, the one around it.
    std::vector<Edge> edges_of(const Component &component, const Row &row) {
        std::vector<Edge> edges;
        order_.set(row);
        struct Open {
            Nanoseconds stop;
            OTF2_RegionRef region;
        };
        std::vector<Open> open;
        const auto leave = [&] {
            edges.push_back({ticks(open.back().stop), open.back().region, false});
            open.pop_back();
        };
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const std::size_t k = order_[i];
            if (row.start[k] == absent) continue;
            while (!open.empty() && open.back().stop <= row.start[k])
                leave();
            const EventKey &key = component.table.keys[k];
            const auto [region, is_new] = regions_.try_emplace(What(key.kind, key.field, key.counterpart),
                                                               static_cast<OTF2_RegionRef>(regions_.size()));
            edges.push_back({ticks(row.start[k]), region->second, true});
            // An event that overlaps without nesting ends before the one around it, as far as OTF2 is told.
            const Nanoseconds stop = open.empty() ? row.stop[k] : std::min(row.stop[k], open.back().stop);
            open.push_back({stop, region->second});
        }
        while (!open.empty())
            leave();
        return edges;
    }

    OTF2_StringRef text(const std::string &value) {
        const auto [found, is_new] = texts_.try_emplace(value, static_cast<OTF2_StringRef>(texts_.size()));
        if (is_new) check(OTF2_GlobalDefWriter_WriteString(definitions_, found->second, value.c_str()));
        return found->second;
    }
    [[nodiscard]] std::string name_of_region(const What &what) const {
        const auto [kind, field, counterpart] = what;
        std::string name(name_of(kind));
        if (field > 0) name += " " + run_.field_names[static_cast<std::size_t>(field) - 1];
        if (counterpart <= 0) return name;
        const char *way = kind == Kind::put    ? " to "
                          : kind == Kind::get  ? " from "
                          : kind == Kind::sync ? ", last came "
                                               : ", ";
        return name + way + run_.component_name(counterpart);
    }

    void definitions() {
        definitions_ = OTF2_Archive_GetGlobalDefWriter(archive_);
        if (definitions_ == nullptr) throw FileError(folder_, "OTF2 cannot write definitions");
        Nanoseconds end = 1;
        for (const Component &c : run_.components)
            end = std::max(end, c.last_terminate);
        check(OTF2_GlobalDefWriter_WriteClockProperties(definitions_, 1'000'000'000, 0, ticks(end),
                                                        OTF2_UNDEFINED_TIMESTAMP));
        const OTF2_StringRef empty = text("");
        std::vector<const What *> by_region(regions_.size()); // readers want ascending definitions
        for (const auto &[what, region] : regions_)
            by_region[region] = &what;
        for (std::size_t region = 0; region < by_region.size(); ++region) {
            const OTF2_StringRef name = text(name_of_region(*by_region[region]));
            check(OTF2_GlobalDefWriter_WriteRegion(definitions_, static_cast<OTF2_RegionRef>(region), name, name,
                                                   empty, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_USER,
                                                   OTF2_REGION_FLAG_NONE, empty, 0, 0));
        }
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions_, 0, text("coupled model"), text("machine"),
                                                       OTF2_UNDEFINED_SYSTEM_TREE_NODE));
        // In OTF2 a group is a process and a location its thread: here a component and its processes.
        std::map<std::int32_t, OTF2_LocationGroupRef> groups;
        for (std::size_t l = 0; l < locations_.size(); ++l) {
            const Location &location = locations_[l];
            const auto [group, is_new] =
                groups.try_emplace(location.component->id, static_cast<OTF2_LocationGroupRef>(groups.size()));
            if (is_new) {
                check(OTF2_GlobalDefWriter_WriteLocationGroup(
                    definitions_, group->second, text(location.component->name), OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                    OTF2_UNDEFINED_LOCATION_GROUP));
            }
            const std::string name = location.component->name + " " + std::to_string(location.process);
            check(OTF2_GlobalDefWriter_WriteLocation(definitions_, l, text(name), OTF2_LOCATION_TYPE_CPU_THREAD,
                                                     location.events, group->second));
        }
    }

    std::string folder_, part_;
    const CoupledRun &run_;
    OTF2_Archive *archive_ = nullptr;
    OTF2_GlobalDefWriter *definitions_ = nullptr; // the archive's
    std::vector<Location> locations_;
    std::map<What, OTF2_RegionRef> regions_;
    std::map<std::string, OTF2_StringRef> texts_;
    RowOrder order_;
};

} // namespace

bool has_otf2() {
    return true;
}

std::unique_ptr<EventSink> make_otf2_sink(const std::string &folder, const CoupledRun &run) {
    return std::make_unique<Otf2Sink>(folder, run);
}

} // namespace cpl_lb
