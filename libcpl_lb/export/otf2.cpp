// Writes the events of an OTF2 archive through its library.
#include "analysis/nesting.hpp"
#include "export/event_sink.hpp"
#include "export/otf2_definitions.hpp"
#include "io/files/file_error.hpp"
#include "io/files/file_handle.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fcntl.h>
#include <filesystem>
#include <limits>
#include <map>
#include <otf2/otf2.h>
#include <span>
#include <sys/stat.h>
#include <system_error>
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

// A hidden folder beside the result that only this user may enter: nobody can plant anything in it.
class PrivateFolder {
public:
    explicit PrivateFolder(const std::string &beside) {
        const fs::path whole(beside);
        name_ = (whole.parent_path() / ("." + whole.filename().string() + ".XXXXXX")).string();
        struct stat found {};
        if (::mkdtemp(name_.data()) != nullptr)
            opened_ = FileHandle(::open(name_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        const bool good = opened_.descriptor() >= 0 && ::fstat(opened_.descriptor(), &found) == 0;
        if (!good) throw FileError(beside, "cannot create: " + std::generic_category().message(errno));
        if (found.st_uid != ::geteuid()) throw FileError(beside, "cannot create: somebody has taken its place");
    }
    ~PrivateFolder() {
        std::error_code ignored;
        fs::remove_all(name_, ignored);
    }
    PrivateFolder(const PrivateFolder &) = delete;
    PrivateFolder &operator=(const PrivateFolder &) = delete;
    // Through the descriptor: somebody who may write beside it could rename it and put another folder in its place.
    [[nodiscard]] std::string inside() const { return opened_.path(name_) + "/part"; }

private:
    std::string name_;
    FileHandle opened_;
};

class Otf2Sink final : public EventSink {
public:
    Otf2Sink(std::string folder, const CoupledRun &run, const ExportSelection &selection)
        : folder_(std::move(folder)), private_(folder_), part_(private_.inside()), window_(window_of(selection)),
          arrows_(run), run_(run) {
        if (fs::exists(folder_)) throw FileError(folder_, "exists already: give another folder with -o");
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
    }
    Otf2Sink(const Otf2Sink &) = delete;
    Otf2Sink &operator=(const Otf2Sink &) = delete;

    // Which process an arrow comes from or goes to is known when all rows are.
    [[nodiscard]] bool looks_first() const override { return true; }
    void look(const Component &component, std::int64_t process, const Row &row) override {
        arrows_.row(component, process, row);
        ranks_.emplace(std::pair(component.id, process), static_cast<std::uint32_t>(ranks_.size()));
    }

    void row(const Component &component, std::int64_t process, const Row &row) override {
        if (locations_.empty()) list_messages();
        const auto location = static_cast<OTF2_LocationRef>(locations_.size());
        OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive_, location);
        if (writer == nullptr) throw FileError(folder_, "OTF2 cannot write events");
        const std::vector<Step> steps = steps_of(component, process, row);
        for (const Step &step : steps)
            write(writer, step);
        check(OTF2_Archive_CloseEvtWriter(archive_, writer));
        locations_.push_back({&component, process, steps.size()});
        if (!steps.empty()) last_ = std::max(last_, steps.back().time);
    }

    void finish() override {
        check(OTF2_Archive_CloseEvtFiles(archive_));
        check(OTF2_Archive_OpenDefFiles(archive_));
        for (std::size_t l = 0; l < locations_.size(); ++l)
            check(OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, l)));
        check(OTF2_Archive_CloseDefFiles(archive_));
        write_otf2_definitions(archive_, folder_, run_, regions_, locations_, last_);
        OTF2_Archive *archive = std::exchange(archive_, nullptr);
        check(OTF2_Archive_Close(archive));
        std::error_code error;
        fs::rename(part_, folder_, error);
        if (error) throw FileError(folder_, "cannot put the finished folder in place: " + error.message());
    }

private:
    struct Step {
        enum class Does : std::uint8_t { enter, leave, send, receive };
        Does does = Does::enter;
        OTF2_TimeStamp time = 0;
        std::uint32_t what = 0; // region; of a message: the other side's rank
        std::uint32_t tag = 0;  // of a message: the field
    };
    // A message of a process as it leaves or comes, at this event.
    struct Message {
        std::size_t event;
        std::uint32_t rank, tag;
    };

    static Interval window_of(const ExportSelection &selection) {
        constexpr Interval all{std::numeric_limits<Nanoseconds>::min(), std::numeric_limits<Nanoseconds>::max()};
        return {std::isfinite(selection.from_s) ? from_seconds(selection.from_s) : all.start,
                std::isfinite(selection.to_s) ? from_seconds(selection.to_s) : all.stop};
    }
    void check(OTF2_ErrorCode code) const { check_otf2(code, folder_); }
    // Times before the run's zero (none in sound data) become it: OTF2 counts upwards only.
    static OTF2_TimeStamp ticks(Nanoseconds t) { return t > 0 ? static_cast<OTF2_TimeStamp>(t) : 0; }

    void write(OTF2_EvtWriter *writer, const Step &step) const {
        constexpr std::uint64_t length = 0; // is not recorded
        switch (step.does) {
        case Step::Does::enter:
            return check(OTF2_EvtWriter_Enter(writer, nullptr, step.time, step.what));
        case Step::Does::leave:
            return check(OTF2_EvtWriter_Leave(writer, nullptr, step.time, step.what));
        case Step::Does::send:
            return check(
                OTF2_EvtWriter_MpiSend(writer, nullptr, step.time, step.what, otf2_comm_of_run, step.tag, length));
        case Step::Does::receive:
            return check(
                OTF2_EvtWriter_MpiRecv(writer, nullptr, step.time, step.what, otf2_comm_of_run, step.tag, length));
        }
    }

    void list_messages() {
        for (const Arrow &arrow : arrows_.all()) {
            const std::uint32_t from = ranks_.at({arrow.from.component, arrow.from.process});
            const std::uint32_t to = ranks_.at({arrow.to.component, arrow.to.process});
            const auto tag = static_cast<std::uint32_t>(arrow.field);
            sends_[from].push_back({arrow.from.event, to, tag});
            receives_[to].push_back({arrow.to.event, from, tag});
        }
        for (Messages *side : {&sends_, &receives_})
            for (auto &[rank, messages] : *side)
                std::ranges::stable_sort(messages, {}, &Message::event);
    }

    OTF2_RegionRef region_of(const Otf2What &what) {
        return regions_.try_emplace(what, static_cast<OTF2_RegionRef>(regions_.size())).first->second;
    }

    // In order of time; at the same time the one inside leaves before, and enters after, the one around it. Around
    // all of them is the component's own region, from the component's begin to its end.
    std::vector<Step> steps_of(const Component &component, std::int64_t process, const Row &row) {
        const std::uint32_t rank = ranks_.at({component.id, process});
        std::vector<Step> steps;
        order_.set(row);
        struct Open {
            Nanoseconds stop;
            OTF2_RegionRef region;
            std::size_t event;
        };
        std::vector<Open> open;
        const auto leave = [&] {
            const Open &last = open.back();
            for (const Message &m : at_event(receives_, rank, last.event))
                steps.push_back({Step::Does::receive, ticks(last.stop), m.rank, m.tag});
            steps.push_back({Step::Does::leave, ticks(last.stop), last.region, 0});
            open.pop_back();
        };
        const Interval life = life_of(component, row);
        if (life.stop > life.start) {
            const OTF2_RegionRef root = region_of({true, Kind::undf, 0, component.id});
            steps.push_back({Step::Does::enter, ticks(life.start), root, 0});
            open.push_back({life.stop, root, no_event});
        }
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const std::size_t k = order_[i];
            if (row.start[k] == absent) continue;
            while (!open.empty() && open.back().event != no_event && open.back().stop <= row.start[k])
                leave();
            const EventKey &key = component.table.keys[k];
            const OTF2_RegionRef region = region_of({false, key.kind, key.field, key.counterpart});
            steps.push_back({Step::Does::enter, ticks(row.start[k]), region, 0});
            for (const Message &m : at_event(sends_, rank, k))
                steps.push_back({Step::Does::send, ticks(row.start[k]), m.rank, m.tag});
            // An event that overlaps without nesting ends before the one around it, as far as OTF2 is told.
            open.push_back({open.empty() ? row.stop[k] : std::min(row.stop[k], open.back().stop), region, k});
        }
        while (!open.empty())
            leave();
        return steps;
    }

    // From the component's begin to its end, as far as they are known and exported; all events lie inside.
    [[nodiscard]] Interval life_of(const Component &component, const Row &row) const {
        Interval life{std::numeric_limits<Nanoseconds>::max(), std::numeric_limits<Nanoseconds>::min()};
        if (component.last_terminate > component.first_init)
            life = {std::max(component.first_init, window_.start), std::min(component.last_terminate, window_.stop)};
        for (std::size_t k = 0; k < row.start.size(); ++k) {
            if (row.start[k] == absent) continue;
            life = {std::min(life.start, row.start[k]), std::max(life.stop, row.stop[k])};
        }
        return life;
    }

    static constexpr auto no_event = std::numeric_limits<std::size_t>::max();
    // By rank, in the order of the events.
    using Messages = std::map<std::uint32_t, std::vector<Message>>;
    static std::span<const Message> at_event(const Messages &messages, std::uint32_t rank, std::size_t event) {
        const auto found = messages.find(rank);
        if (found == messages.end()) return {};
        const std::vector<Message> &all = found->second;
        return {std::ranges::lower_bound(all, event, {}, &Message::event),
                std::ranges::upper_bound(all, event, {}, &Message::event)};
    }

    std::string folder_;
    PrivateFolder private_;
    std::string part_; // in it, until it is whole
    Interval window_;
    OTF2_Archive *archive_ = nullptr;
    Arrows arrows_;
    std::map<std::pair<std::int32_t, std::int64_t>, std::uint32_t> ranks_; // of component and process: its location
    Messages sends_, receives_;
    std::map<Otf2What, OTF2_RegionRef> regions_;
    std::vector<Otf2Location> locations_;
    OTF2_TimeStamp last_ = 1;
    RowOrder order_;
    const CoupledRun &run_;
};

} // namespace

std::unique_ptr<EventSink> make_otf2_sink(const std::string &folder, const CoupledRun &run,
                                          const ExportSelection &selection) {
    return std::make_unique<Otf2Sink>(folder, run, selection);
}

} // namespace cpl_lb
