// The carrier of one rank of a world in memory, and the world as its users see it.
#include "tests/mpi/memory_state.hpp"

namespace cpl_lb::testing {
namespace {

class SendInMemory final : public UnderWay {
public:
    SendInMemory(MemoryWorld::State &world, int rank, std::shared_ptr<bool> taken)
        : world_(world), rank_(rank), taken_(std::move(taken)) {}
    bool test(int * /*source*/) override {
        world_.count_call(rank_);
        return !taken_ || *taken_;
    }
    [[nodiscard]] std::span<const std::byte> data() const override { return {}; }

private:
    MemoryWorld::State &world_;
    int rank_;
    std::shared_ptr<bool> taken_; // null: needs no receiver
};

class ReceiveInMemory final : public UnderWay {
public:
    ReceiveInMemory(MemoryWorld::State &world, int rank, std::shared_ptr<Receive> receive)
        : world_(world), rank_(rank), receive_(std::move(receive)) {}
    ~ReceiveInMemory() override {
        if (!receive_->done) world_.forget(rank_, receive_);
    }
    ReceiveInMemory(const ReceiveInMemory &) = delete;
    ReceiveInMemory &operator=(const ReceiveInMemory &) = delete;
    bool test(int *source) override {
        world_.count_call(rank_);
        if (!receive_->done) return false;
        if (receive_->too_long && world_.of(rank_).first_error.empty())
            world_.of(rank_).first_error = "a message is longer than its receive";
        if (source != nullptr) *source = receive_->source;
        return true;
    }
    [[nodiscard]] std::span<const std::byte> data() const override { return receive_->bytes; }

private:
    MemoryWorld::State &world_;
    int rank_;
    std::shared_ptr<Receive> receive_;
};

class MemoryCarrier final : public Carrier {
public:
    MemoryCarrier(MemoryWorld::State &world, int rank) : world_(world), rank_(rank) {}

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return world_.setup().ranks; }
    [[nodiscard]] std::unique_ptr<UnderWay> start_send(int to, int tag, std::span<const std::byte> data) override {
        world_.count_call(rank_);
        const bool waits = data.size() > world_.setup().eager_bytes;
        auto taken = waits ? std::make_shared<bool>(false) : nullptr;
        world_.send(rank_, to, tag, data, taken);
        return std::make_unique<SendInMemory>(world_, rank_, std::move(taken));
    }
    [[nodiscard]] std::unique_ptr<UnderWay> start_receive(int from, int tag, std::size_t size) override {
        world_.count_call(rank_);
        auto receive = std::make_shared<Receive>(Receive{from, tag, size, {}});
        world_.ask(rank_, receive);
        return std::make_unique<ReceiveInMemory>(world_, rank_, std::move(receive));
    }
    void send_empty(int to, int tag) noexcept override { world_.send(rank_, to, tag, {}, nullptr); }
    void pause(Patience & /*patience*/, std::int64_t until_ns) override {
        world_.count_call(rank_);
        world_.sleep_until(rank_, world_.true_time(rank_, until_ns));
    }
    [[nodiscard]] std::int64_t now_ns() override { return world_.read_clock(rank_); }
    [[nodiscard]] const std::string &first_error() const override { return world_.of(rank_).first_error; }

private:
    MemoryWorld::State &world_;
    int rank_;
};

} // namespace

MemoryWorld::MemoryWorld(WorldSetup setup) : state_(std::make_unique<State>(std::move(setup))) {}
MemoryWorld::~MemoryWorld() = default;

void MemoryWorld::run(const Body &body) {
    state_->run([&](int rank) { body(rank, std::make_unique<MemoryCarrier>(*state_, rank)); });
}
std::int64_t MemoryWorld::true_ns() const {
    return state_->now_ns();
}
bool MemoryWorld::stopped(int rank) const {
    return state_->of(rank).stopped;
}
const Traffic &MemoryWorld::traffic(int rank) const {
    return state_->of(rank).traffic;
}

} // namespace cpl_lb::testing
