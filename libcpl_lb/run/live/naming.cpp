// Names for processes of programs that do not know cpl_lb: all hear what each said of itself, and each takes its
// name.
#include "run/live/recording.hpp"

#include "mpi/group.hpp"
#include "mpi/wire.hpp"

namespace cpl_lb {
namespace {

using Said = std::map<std::int32_t, std::string>; // by rank

Bytes pack_said(const Said &said) {
    WireWriter out;
    out.put(static_cast<std::int32_t>(said.size()));
    for (const auto &[rank, text] : said) {
        out.put(rank);
        out.put(text);
    }
    return out.take();
}

Said unpack_said(const Bytes &bytes) {
    WireReader in(bytes);
    Said said;
    for (auto left = in.get<std::int32_t>(); left > 0 && in.good(); --left) {
        const auto rank = in.get<std::int32_t>();
        said[rank] = in.get_text();
    }
    return said;
}

} // namespace

bool Recording::take_name(Group &all, const Namer &namer) {
    Said said{{transport_.rank(), component_}};
    const auto unite = [](Said &mine, const Said &theirs) { mine.insert(theirs.begin(), theirs.end()); };
    if (!unite_up(all, said, pack_said, unpack_said, unite)) return false;
    Bytes bytes = pack_said(said);
    if (!all.broadcast_all(bytes)) return false;
    std::vector<std::string> texts;
    std::vector<int> ranks;
    for (auto &[rank, text] : unpack_said(bytes)) {
        texts.push_back(text);
        ranks.push_back(layout_.in_model(rank));
    }
    component_ = namer(texts, ranks, settings_.components, static_cast<std::size_t>(transport_.rank()));
    component_stack_.assign(1, component_);
    return true;
}

void Recording::rename(std::string_view component) {
    component_ = component;
    component_stack_.assign(1, component_);
    if (recorder_) recorder_->rename(component);
}

double Recording::ticks_per_s() const {
    if (clock_source_ == ClockSource::gettime) return 1e9;
    const ClockPoint now = take_clock_point(clock_source_);
    const auto ns = static_cast<double>(now.monotonic_ns - first_point_.monotonic_ns);
    return ns > 0 ? 1e9 * static_cast<double>(now.ticks - first_point_.ticks) / ns : 1e9;
}

} // namespace cpl_lb
