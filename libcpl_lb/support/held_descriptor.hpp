// A descriptor that is held while the model runs. A model may close descriptors that are not its own (a second close
// of the same number, closefrom) and then open files of its own: the number is then theirs. So the file is known by
// device and inode, and looked at before the number is used or closed.
#pragma once

#include <sys/types.h>

namespace cpl_lb {

class HeldDescriptor {
public:
    HeldDescriptor() = default;
    // Of a file that was just opened; negative: it was not.
    explicit HeldDescriptor(int number) noexcept;
    ~HeldDescriptor() { close(); }
    HeldDescriptor(HeldDescriptor &&other) noexcept { swap(other); }
    HeldDescriptor &operator=(HeldDescriptor &&other) noexcept {
        close();
        swap(other);
        return *this;
    }

    [[nodiscard]] int number() const noexcept { return number_; }
    [[nodiscard]] bool was_opened() const noexcept { return number_ >= 0; }
    // The number still leads to the file.
    [[nodiscard]] bool is_ours() const noexcept;
    // The path leads to the file.
    [[nodiscard]] bool is_at(const char *path) const noexcept;
    // Takes the file by its path, without following a link, after somebody has closed the number. False: another
    // file lies there, or none.
    [[nodiscard]] bool open_again(const char *path, int flags) noexcept;
    void close() noexcept;                  // keeps errno
    void leave() noexcept { number_ = -1; } // without closing it

private:
    void swap(HeldDescriptor &other) noexcept;

    int number_ = -1;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

} // namespace cpl_lb
