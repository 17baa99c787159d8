#pragma once

namespace fusebox {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { reset(); }
  int get() const { return value_; }
  explicit operator bool() const { return value_ >= 0; }
  int release();
  void reset();

 private:
  int value_ = -1;
};

/// The same file by a number that is clear of 0..3, onto which a child's are copied; `descriptor` is closed.
Descriptor lifted(int descriptor);

/// Two ends that no child inherits; neither is valid when there could be none (errno).
struct Ends {
  Descriptor ours, theirs;
  explicit operator bool() const { return ours && theirs; }
};
Ends make_pipe();         ///< we read, they write
Ends make_socket_pair();  ///< of bytes, both ways

}  // namespace fusebox
