// A file in pieces: each is asked for with one word, and comes with its length.
#include "run/live/file_transfer.hpp"

#include "io/files/file_error.hpp"
#include "io/files/result_file.hpp"
#include "support/messages.hpp"

#include <cerrno>
#include <optional>
#include <unistd.h>
#include <vector>

namespace cpl_lb {
namespace {

constexpr int file_tag = 27;

struct PieceHead {
    std::int64_t bytes = 0; // 0: the end; below: the file cannot be read
};

FileHandle opened(const std::string &path) {
    try {
        return open_to_read(path);
    } catch (const FileError &) { // reading it fails
        return {};
    }
}

std::int64_t read_from(const FileHandle &file, std::span<std::byte> piece) {
    ssize_t got = -1;
    do
        got = ::read(file.descriptor(), piece.data(), piece.size());
    while (got < 0 && errno == EINTR);
    return got;
}

// The file that the root writes. The first error is kept, and later pieces are thrown away.
class Arrival {
public:
    explicit Arrival(const std::string &path) {
        attempt([&] { file_.emplace(path); });
    }
    void add(std::span<const std::byte> piece) {
        attempt([&] {
            if (file_) file_->text({reinterpret_cast<const char *>(piece.data()), piece.size()});
        });
    }
    void commit() {
        attempt([&] {
            if (file_) file_->commit();
        });
    }
    [[nodiscard]] const std::string &why() const { return why_; }

private:
    template <class Action>
    void attempt(Action action) {
        if (!why_.empty()) return;
        try {
            action();
        } catch (const std::exception &e) {
            why_ = in_words(e);
            file_.reset();
        }
    }
    std::optional<StreamFile> file_;
    std::string why_;
};

} // namespace

FileFate send_file(Transport &transport, int root, const std::string &path) {
    const FileHandle file = opened(path);
    std::vector<std::byte> piece(file_piece_bytes);
    for (;;) {
        FileFate fate{};
        transport.receive(root, file_tag, as_wire_out(fate));
        if (fate != FileFate::under_way) return fate;
        const PieceHead head{read_from(file, piece)};
        transport.send(root, file_tag, as_wire(head));
        if (head.bytes < 0) return FileFate::not_readable;
        const auto length = static_cast<std::size_t>(head.bytes);
        if (length > 0) transport.send(root, file_tag, std::span(piece).first(length));
    }
}

FileFate receive_file(Transport &transport, int from, const std::string &path, std::int64_t until_ns,
                      std::string &why) {
    Arrival arrival(path);
    std::vector<std::byte> piece(file_piece_bytes);
    FileFate fate = FileFate::under_way;
    while (fate == FileFate::under_way) {
        if (transport.now_ns() > until_ns) fate = FileFate::too_slow;
        if (!arrival.why().empty()) fate = FileFate::not_writable;
        if (fate != FileFate::under_way) break;
        PieceHead head;
        transport.send(from, file_tag, as_wire(fate));
        transport.receive(from, file_tag, as_wire_out(head));
        if (head.bytes < 0) return FileFate::not_readable;
        const auto length = std::min(static_cast<std::size_t>(head.bytes), piece.size());
        if (length > 0) transport.receive(from, file_tag, std::span(piece).first(length));
        arrival.add(std::span(piece).first(length));
        if (length > 0) continue;
        arrival.commit();
        fate = arrival.why().empty() ? FileFate::arrived : FileFate::not_writable;
    }
    why = arrival.why();
    transport.send(from, file_tag, as_wire(fate));
    return fate;
}

} // namespace cpl_lb
