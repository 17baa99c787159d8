#include "grader/simulator/exec/instructions/print.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <optional>

#include "grader/simulator/exec/memory/access.h"
#include "grader/simulator/exec/memory/memory.h"
#include "grader/simulator/exec/program/raise_fault.h"

namespace fusebox::sim {
namespace {

constexpr std::size_t kLongestString = 64 << 10;
constexpr int kWidest = 4096;

/// A C string in device memory; stops where memory does.
std::string read_string(Warp& w, int lane, std::uint64_t address) {
  std::string text;
  Space space = space_of_generic(address);
  while (text.size() < kLongestString) {
    const Bytes byte = bytes_at(w, lane, own_place(w, space, address + text.size()), 1);
    if (!byte || *byte.data == 0 || (byte.shadow != nullptr && *byte.shadow != GlobalMemory::kGood)) break;
    text += static_cast<char>(*byte.data);
  }
  return text;
}

template <class T>
T read_parameter(Warp& w, int lane, std::uint32_t place) {
  T value{};
  if (const Bytes from =
          bytes_at(w, lane, own_place(w, Space::local, w.frame->local_base + place), sizeof(T)))
    std::memcpy(&value, from.data, sizeof(T));
  return value;
}

/// The arguments behind a format: laid out one after the other, each aligned to its size.
class Arguments {
 public:
  Arguments(Warp& w, int lane, std::uint64_t address) : w_(w), lane_(lane), address_(address) {
    space_ = space_of_generic(address_);
  }
  template <class T>
  T next() {
    address_ = (address_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value{};
    const Bytes from = bytes_at(w_, lane_, own_place(w_, space_, address_), sizeof(T));
    const auto is_live = [](std::uint8_t b) { return b != 0; };
    if (from && (from.shadow == nullptr || std::all_of(from.shadow, from.shadow + sizeof(T), is_live)))
      std::memcpy(&value, from.data, sizeof(T));
    address_ += sizeof(T);
    return value;
  }

 private:
  Warp& w_;
  int lane_;
  std::uint64_t address_;
  Space space_ = Space::global;
};

template <class T>
std::string formatted(const std::string& specification, T value) {
  char text[kWidest + 512];
  int length = std::snprintf(text, sizeof text, specification.c_str(), value);
  return std::string(text, static_cast<std::size_t>(std::clamp<int>(length, 0, sizeof text - 1)));
}

/// One %[flags][width][.precision][size]conversion of a format.
struct Conversion {
  std::string specification;  ///< rebuilt from what was parsed, so that nothing unchecked reaches snprintf
  int longs = 0, shorts = 0;
  char letter = '\0';  ///< '\0': the format ended before
};

/// Reads a number of the width or the precision, which stands in the format or, for '*', is an argument: true
/// then. `prefix`: the '.' of a precision; '\0': none.
bool read_number(const std::string& format, std::size_t& at, Arguments& arguments, char prefix,
                 std::string& specification) {
  int value = 0;
  const bool given = at < format.size() && format[at] == '*';
  if (given) {
    value = arguments.next<std::int32_t>();
    ++at;
  } else if (at < format.size() && format[at] >= '0' && format[at] <= '9') {
    while (at < format.size() && format[at] >= '0' && format[at] <= '9')
      value = std::min(value * 10 + (format[at++] - '0'), kWidest);
  } else if (prefix == '\0') {
    return given;
  }
  if (prefix == '.' && value < 0) return given;  // as if it were not there
  if (prefix != '\0') specification += prefix;
  specification += std::to_string(std::clamp(value, -kWidest, kWidest));
  return given;
}

/// The conversion whose '%' stands at `at`, which goes behind it. `count` goes up by the arguments that it
/// takes.
Conversion read_conversion(const std::string& format, std::size_t& at, Arguments& arguments,
                           std::uint32_t& count) {
  Conversion read;
  read.specification = "%";
  ++at;
  while (at < format.size() && std::strchr("-+ #0", format[at]) != nullptr)
    read.specification += format[at++];
  count += read_number(format, at, arguments, '\0', read.specification) ? 1 : 0;
  if (at < format.size() && format[at] == '.') {
    ++at;
    count += read_number(format, at, arguments, '.', read.specification) ? 1 : 0;
  }
  for (; at < format.size() && std::strchr("lhzjtqL", format[at]) != nullptr; ++at)
    (format[at] == 'h' ? read.shorts : read.longs) += 1;
  if (at < format.size()) read.letter = format[at++];
  if (read.letter != '%' && read.letter != '\0') ++count;
  return read;
}

/// The lowest bits of a value, as a number with a sign.
std::int64_t sign_extended(std::int64_t value, int bits) { return value << (64 - bits) >> (64 - bits); }

/// The next argument as the conversion shows it; nothing when it is no conversion.
std::optional<std::string> converted(Warp& w, int lane, const Conversion& as, Arguments& arguments) {
  switch (as.letter) {
    case '%':
      return "%";
    case 'd':
    case 'i': {
      std::int64_t value = as.longs ? arguments.next<std::int64_t>() : arguments.next<std::int32_t>();
      if (as.shorts > 0) value = sign_extended(value, as.shorts == 1 ? 16 : 8);
      return formatted(as.specification + "lld", static_cast<long long>(value));
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
      std::uint64_t value = as.longs ? arguments.next<std::uint64_t>() : arguments.next<std::uint32_t>();
      if (as.shorts == 1) value = static_cast<std::uint16_t>(value);
      if (as.shorts >= 2) value = static_cast<std::uint8_t>(value);
      return formatted(as.specification + "ll" + as.letter, static_cast<unsigned long long>(value));
    }
    case 'c':
      return formatted(as.specification + "c", arguments.next<std::int32_t>());
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      return formatted(as.specification + as.letter, arguments.next<double>());
    case 'p':
      return formatted(as.specification + "p", std::bit_cast<void*>(arguments.next<std::uint64_t>()));
    case 's': {
      std::string text = read_string(w, lane, arguments.next<std::uint64_t>());
      return as.specification == "%" ? text : formatted(as.specification + "s", text.c_str());
    }
    default:
      return std::nullopt;
  }
}

std::string expand(Warp& w, int lane, const std::string& format, Arguments arguments, std::uint32_t& count) {
  std::string out;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      out += format[at++];
      continue;
    }
    const std::size_t begin = at;
    const Conversion conversion = read_conversion(format, at, arguments, count);
    if (const auto text = converted(w, lane, conversion, arguments))
      out += *text;
    else  // as it stands
      out.append(format, begin, at - begin);
    if (out.size() > kMaxOutput) break;
  }
  return out;
}

}  // namespace

void device_print(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  if (w.block->stopped) return;  // it ends a few instructions behind the fault
  std::string& output = w.block->output;
  for (const int lane : lanes_in(mask)) {
    std::string format = read_string(w, lane, read_parameter<std::uint64_t>(w, lane, s.data[0]));
    std::uint32_t count = 0;
    // Each character is read and written by itself, checked.
    const auto cost = [&](const std::string& text) {
      *w.block->budget -= static_cast<std::int64_t>(text.size() + 1);
    };
    cost(format);
    std::string text =
        expand(w, lane, format, Arguments(w, lane, read_parameter<std::uint64_t>(w, lane, s.data[1])), count);
    cost(text);
    if (output.size() < kMaxOutput) output += text;
    w.block->printed += text.size();
    if (w.block->printed > w.block->launch->max_printed_bytes)
      return stop_block(w, s, LaneMask{1} << lane, FaultKind::too_much_output);
    if (s.d == kNoOperand) continue;
    if (const Bytes to =
            bytes_at(w, lane, own_place(w, Space::local, w.frame->local_base + s.d), sizeof count))
      std::memcpy(to.data, &count, sizeof count);
  }
}

std::string assert_note(Warp& w, const DecodedInstruction& s, int lane) {
  auto text = [&](int k) { return read_string(w, lane, read_parameter<std::uint64_t>(w, lane, s.data[k])); };
  return text(1) + ":" + std::to_string(read_parameter<std::uint32_t>(w, lane, s.data[2])) + ": " + text(3) +
         ": assertion `" + text(0) + "` failed";
}

}  // namespace fusebox::sim
