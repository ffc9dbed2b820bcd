// What a session does at its start and end, and who is in which component.
#include "profiling/session.hpp"

#include "profiling/kept.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <pthread.h>
#include <set>
#include <utility>

namespace cpl_lb::profiling {
namespace {

static_assert(logged_last == CPL_LB_MESSAGE_LAST && logged_next == CPL_LB_MESSAGE_NEXT &&
              logged_again == CPL_LB_MESSAGE_AGAIN && put_kind == CPL_LB_PUT && get_kind == CPL_LB_GET);

int group_size(MPI_Group group) {
    int size = 0;
    PMPI_Group_size(group, &size);
    return size;
}

// The ranks in `world` of the processes of `group`, in the order of the group.
std::vector<int> ranks_of(MPI_Group group, MPI_Group world) {
    std::vector<int> ranks(static_cast<std::size_t>(group_size(group)));
    std::vector<int> in_world(ranks.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    PMPI_Group_translate_ranks(group, static_cast<int>(ranks.size()), ranks.data(), world, in_world.data());
    return in_world;
}

extern "C" int cpl_lb_mpi_forget(MPI_Comm /*comm*/, int /*key*/, void *value, void * /*extra*/) {
    // Otherwise MPI is ending and must not be called, or the name is not needed any more.
    if (records_here()) kept_in<const Communicator>(value)->take_name();
    put_aside(value);
    return MPI_SUCCESS;
}

} // namespace

int size_of_world() {
    int size = 0;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

void Session::set_components(std::vector<int> of_world, std::vector<std::string> names, int mine, bool may_be_split,
                             bool by_folders) {
    may_be_split_ = may_be_split;
    by_folders_ = by_folders;
    component_of_world_ = std::move(of_world);
    component_names_ = std::move(names);
    mine_ = mine;
}

// Sends no message: the group tells which processes are in this part, and the names of the other parts become known
// at the end, when all send theirs.
void Session::world_was_split(MPI_Comm part, int color) {
    if (!may_be_split_) return;
    MPI_Group world = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group group = MPI_GROUP_EMPTY;
    if (part != MPI_COMM_NULL) PMPI_Comm_group(part, &group);
    const int size = group_size(group);
    if (size < group_size(world)) {
        may_be_split_ = false;
        component_of_world_.assign(component_of_world_.size(), other_part);
        for (const int rank : ranks_of(group, world))
            component_of_world_.at(static_cast<std::size_t>(rank)) = mine_;
        if (size > 0) component_names_.front() += " color " + std::to_string(color);
        static_cast<void>(cpl_lb_rename(component_names_.front().c_str()));
        ++naming_;
        forget_last();
        part_ = communicator(part); // models give it a name later
    }
    PMPI_Group_free(&world);
    if (part != MPI_COMM_NULL) PMPI_Group_free(&group);
}

void Session::start() {
    longest_gap_ = static_cast<std::uint64_t>(1e-9 * static_cast<double>(longest_gap_ns) * cpl_lb_ticks_per_second());
    cpl_lb_inside_starts();
}

// Printed by one process before the summary: names that say little, and how to give better ones.
void Session::tell_of_names() const {
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) return;
    const bool any_not_recorded =
        static_cast<int>(component_of_world_.size()) < size_of_world() ||
        std::find(component_of_world_.begin(), component_of_world_.end(), other_program) != component_of_world_.end();
    const char *name = component_names_.front().c_str();
    if (naming_ == 0 && component_names_.size() == 1 && !any_not_recorded) {
        std::fprintf(stderr,
                     "cpl_lb: all processes are one component, %s: if parts of it are coupled, cpl-lb-record "
                     "--components NAME:FIRST-LAST,... names them by their ranks\n",
                     name);
    } else if (naming_ > 0 && (part_ == nullptr || part_->name.empty())) {
        std::fprintf(stderr,
                     "cpl_lb: components are named after colours, as %s: cpl-lb-record --components "
                     "NAME:FIRST-LAST,... names them by their ranks, or the model by MPI_Comm_set_name\n",
                     name);
    } else if (by_folders_) {
        std::fprintf(stderr,
                     "cpl_lb: components are named after folders, as %s: cpl-lb-record --component NAME in front of "
                     "each program names them\n",
                     name);
    }
}

bool Session::call_was_left(const void *top) const {
    if (in_progress_.bottom == nullptr) return false;
    if (top > in_progress_.bottom) return true;
    // This call was made further down: from inside the other one, or after a jump. Then the frame of the other one is
    // no longer in use, and sooner or later something else is written there. Only the stack that both are on is read.
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
    void *stack = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &stack, &size);
    pthread_attr_destroy(&attributes);
    const auto is_there = [&](const void *at) { return at >= stack && at < static_cast<char *>(stack) + size; };
    return is_there(top) && is_there(in_progress_.alive) && *in_progress_.alive != in_progress_.number;
}

void Session::note_left_call() {
    ++left_calls_;
    call_is_over();
}

void Session::finish() {
    if (in_progress_.bottom != nullptr) note_left_call();
    cpl_lb_left(left_calls_);
    if (part_ != nullptr) part_->take_name();
    tell_of_names();
    poll_over();
    probe_over();
    forget_last();
    last_.reset();
    if (part_ != nullptr) cpl_lb_communicator(part_->name.c_str());
    logs_.for_each([](int kind, int field, const std::vector<LoggedMessage> &messages) {
        cpl_lb_messages(kind, field, messages.data(), messages.size());
    });
    static_cast<void>(cpl_lb_terminate(0.0));
}

std::shared_ptr<const Communicator> Session::communicator(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL) return {};
    if (comm == last_comm_) return last_;
    if (keyval_ == MPI_KEYVAL_INVALID)
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &cpl_lb_mpi_forget, &keyval_, nullptr);
    void *kept = nullptr;
    int found = 0;
    if (PMPI_Comm_get_attr(comm, keyval_, static_cast<void *>(&kept), &found) != MPI_SUCCESS) return {};
    if (found != 0 && !is_outdated(*kept_in<const Communicator>(kept))) {
        last_ = kept_in<const Communicator>(kept);
    } else {
        last_ = look_at(comm);
        std::unique_ptr<Kept> keep = std::make_unique<KeptOf<const Communicator>>(last_);
        if (PMPI_Comm_set_attr(comm, keyval_, keep.get()) != MPI_SUCCESS) {
            last_->take_name();
            return last_; // found out again next time
        }
        static_cast<void>(keep.release());
    }
    last_comm_ = comm;
    return last_;
}

void Session::add_own_side(MPI_Comm intercomm, Communicator &c) const {
    MPI_Group here = MPI_GROUP_NULL;
    PMPI_Comm_group(intercomm, &here);
    const auto own = look_at_group(here);
    for (const int component : own->components)
        if (std::find(c.components.begin(), c.components.end(), component) == c.components.end())
            c.components.push_back(component);
    std::sort(c.components.begin(), c.components.end());
    PMPI_Group_free(&here);
}

std::shared_ptr<Communicator> Session::look_at(MPI_Comm comm) const {
    int is_inter = 0;
    PMPI_Comm_test_inter(comm, &is_inter);
    MPI_Group there = MPI_GROUP_NULL;
    static_cast<void>(is_inter != 0 ? PMPI_Comm_remote_group(comm, &there) : PMPI_Comm_group(comm, &there));
    auto c = look_at_group(there);
    PMPI_Group_free(&there);
    c->is_inter = is_inter != 0;
    PMPI_Comm_rank(comm, &c->rank);
    if (c->is_inter) add_own_side(comm, *c);
    c->named_by = comm;
    return c;
}

std::shared_ptr<Communicator> Session::look_at_group(MPI_Group group) const {
    auto c = std::make_shared<Communicator>();
    c->naming = naming_;
    PMPI_Group_rank(group, &c->rank);
    MPI_Group world = MPI_GROUP_NULL;
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    std::vector<int> in_world = ranks_of(group, world);
    for (const int rank : in_world) {
        const bool known = rank >= 0 && static_cast<std::size_t>(rank) < component_of_world_.size();
        c->component_of_rank.push_back(known      ? component_of_world_[static_cast<std::size_t>(rank)]
                                       : rank < 0 ? other_world
                                                  : other_program);
    }
    PMPI_Group_free(&world);
    const std::set<int> components(c->component_of_rank.begin(), c->component_of_rank.end());
    c->components.assign(components.begin(), components.end());
    std::copy_if(components.begin(), components.end(), std::back_inserter(c->others),
                 [this](int component) { return component != mine_; });
    c->joins_components = !c->others.empty();
    c->rank_in_world = std::move(in_world);
    if (!c->joins_components) std::vector<int>().swap(c->component_of_rank); // not needed any more
    return c;
}

// MPI may reuse a freed handle for another communicator or window.
void Session::forget_freed() {
    forget_last();
    delete_put_aside();
}

bool Session::crosses(const Communicator *c, int rank) const {
    if (c == nullptr || !c->joins_components) return false;
    if (rank == MPI_ANY_SOURCE) return true;
    return rank >= 0 && static_cast<std::size_t>(rank) < c->component_of_rank.size() &&
           c->component_of_rank[static_cast<std::size_t>(rank)] != mine_;
}

Crossing Session::taken(std::uint64_t message) {
    Transfer *found = messages_.find(message);
    if (found == nullptr) return {};
    const Crossing crossing = found->message;
    messages_.erase_found(found);
    return crossing;
}

void Session::prepared_send(std::uint64_t request, const PreparedSend &message) {
    if (message.bytes != none_sent) {
        prepared_[request] = message;
    } else if (!prepared_.empty()) {
        prepared_.erase(request);
    }
}

void Session::prepared_starts(std::uint64_t request) {
    if (const auto at = prepared_.find(request); at != prepared_.end())
        cpl_lb_message(at->second.bytes, at->second.to, at->second.field);
}

Crossing Session::crossing(const Communicator *c, int rank, int tag) {
    if (rank == MPI_ANY_SOURCE || !crosses(c, rank)) return {};
    const auto at = static_cast<std::size_t>(rank);
    return {.field = field_with(*c, c->component_of_rank[at], tag), .process = c->rank_in_world[at]};
}

} // namespace cpl_lb::profiling
