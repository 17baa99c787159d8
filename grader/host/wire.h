#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "grader/host/recorder.h"

// What travels between the grader and the recorder program: plain little-endian numbers, every list behind
// its length.
namespace fusebox::wire {

static_assert(std::endian::native == std::endian::little);

/// Writes into memory that it is given, without allocating; it counts on when that is full, so that writing
/// into nothing measures.
class Writer {
 public:
  explicit Writer(std::span<std::byte> target) : target_(target) {}

  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    raw(&value, sizeof value);
  }
  void bytes(std::span<const std::byte> value);
  void text(std::string_view value) { bytes(std::as_bytes(std::span(value))); }

  std::size_t size() const { return size_; }
  bool fits() const { return size_ <= target_.size(); }

 private:
  void raw(const void* data, std::size_t size);

  std::span<std::byte> target_;
  std::size_t size_ = 0;
};

/// Reads what may be hostile: past the end, or at a length that cannot be, it fails for good and returns
/// zeros.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> source) : source_(source) {}

  template <class T>
  T number() {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    T value{};
    raw(&value, sizeof value);
    return value;
  }
  std::vector<std::byte> bytes();
  std::string text();
  /// The length of a list whose elements take at least `least_bytes` each.
  std::size_t count(std::size_t least_bytes);

  bool ok() const { return ok_; }
  void fail() { ok_ = false; }
  /// Everything was read, and nothing is left over.
  bool complete() const { return ok_ && source_.empty(); }

 private:
  void raw(void* data, std::size_t size);

  std::span<const std::byte> source_;
  bool ok_ = true;
};

inline constexpr std::size_t kMostOps =
    100'000;  ///< far above what a device carries out of one plan in seconds
inline constexpr std::size_t kMostArgumentBytes = 32'764;  ///< of one launch: CUDA's own limit

std::vector<std::byte> encode(const RecordRequest& request);
std::optional<RecordRequest> decode_request(std::span<const std::byte> bytes);

void write(Writer& writer, const LaunchPlan& plan);
std::optional<LaunchPlan> decode_plan(std::span<const std::byte> bytes);

}  // namespace fusebox::wire
