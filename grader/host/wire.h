#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

// How messages between the grader and the processes that it does not trust are laid out: plain little-endian
// numbers, every list behind its length.
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
  /// The length of a list whose elements take at least `min_bytes` each.
  std::size_t count(std::size_t min_bytes);

  bool ok() const { return ok_; }
  void fail() { ok_ = false; }
  /// Everything was read, and nothing is left over.
  bool complete() const { return ok_ && source_.empty(); }

 private:
  void raw(void* data, std::size_t size);

  std::span<const std::byte> source_;
  bool ok_ = true;
};

template <class T>
constexpr bool kIsNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

// put() and get(). members(message, message), found beside a struct, names its members once, in the order in
// which they travel: both directions go through it.

template <class T>
void put(Writer& wire, const T& value);
inline void put(Writer& wire, const std::string& value) { wire.text(value); }
inline void put(Writer& wire, const std::filesystem::path& value) { wire.text(value.native()); }
inline void put(Writer& wire, const std::vector<std::byte>& value) { wire.bytes(value); }
inline void put(Writer& wire, bool value) { wire.number<std::uint8_t>(value); }
template <class T>
void put(Writer& wire, const std::vector<T>& list) {
  wire.number<std::uint64_t>(list.size());
  for (const T& element : list) put(wire, element);
}
template <class T>
void put(Writer& wire, const T& value) {
  if constexpr (kIsNumber<T>)
    wire.number(value);
  else
    std::apply([&](const auto&... member) { (put(wire, member), ...); }, members(value, value));
}

template <class T>
void get(Reader& wire, T& value);
inline void get(Reader& wire, std::string& value) { value = wire.text(); }
inline void get(Reader& wire, std::filesystem::path& value) { value = wire.text(); }
inline void get(Reader& wire, std::vector<std::byte>& value) { value = wire.bytes(); }
inline void get(Reader& wire, bool& value) {
  const auto byte = wire.number<std::uint8_t>();
  if (byte > 1) wire.fail();  // any other byte in a bool is undefined behaviour
  value = byte == 1;
}
template <class T>
void get(Reader& wire, std::vector<T>& list) {
  list.resize(wire.count(1));
  for (T& element : list) {
    if (!wire.ok()) return;
    get(wire, element);
  }
}
template <class T>
void get(Reader& wire, T& value) {
  if constexpr (kIsNumber<T>)
    value = wire.number<T>();
  else
    std::apply([&](auto&... member) { (get(wire, member), ...); }, members(value, value));
}

/// A message as bytes.
template <class T>
std::vector<std::byte> encoded(const T& message) {
  Writer measure({});
  put(measure, message);
  std::vector<std::byte> bytes(measure.size());
  Writer writer(bytes);
  put(writer, message);
  return bytes;
}

/// Absent: the bytes are no such message, or more than one.
template <class T>
std::optional<T> decoded(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  T message;
  get(reader, message);
  if (!reader.complete()) return std::nullopt;
  return message;
}

}  // namespace fusebox::wire
