#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/catalog/puzzle.h"
#include "grader/report/report.h"

namespace fusebox {

/// One output of a kernel against the oracle's answer.
struct Comparison {
  std::int64_t elements = 0;
  std::int64_t wrong = 0;      ///< elements whose error is not within their tolerance; a NaN is always wrong
  std::int64_t unwritten = 0;  ///< of those, elements that no thread has stored to
  double max_error =
      0;  ///< of the element that uses most of its tolerance; NaN when that element is not a number
  double tolerance = 0;              ///< of the same element
  std::vector<Mismatch> mismatches;  ///< the first, then the worst when it is another one

  bool ok() const { return wrong == 0; }
};

/// What undefined memory reads as when a device hands back an output: all bits set, a NaN in every float
/// type.
inline constexpr std::byte kPoison{0xFF};

/// Were these bytes never stored to, as far as they can tell?
bool is_poison(std::span<const std::byte> bytes);

/// `got` holds the tensor's bytes as the device left them; `all_written` is the device's word that every byte
/// was stored to. An element passes if |got - expected| <= absolute + relative * |expected|, so that a NaN
/// fails. Elements that are not compared pass.
Comparison compare(const Tensor& tensor, std::span<const std::byte> got, bool all_written);

/// Gives elements that are not compared the value that is expected of them: whoever explains what came finds
/// nothing there.
void hide_overlooked(const Tensor& tensor, std::span<std::byte> got);

/// The first element of an input that is no longer what the kernel was given; -1 when all are.
std::int64_t first_change(std::span<const std::byte> given, std::span<const std::byte> after, DType dtype);

/// Two outputs of the same tensor that agree within its tolerance everywhere; NaN equals NaN here.
bool same_values(const Tensor& tensor, std::span<const std::byte> a, std::span<const std::byte> b);

/// Lines for people: how many are wrong, then the first and the worst with index, expected and got.
std::string describe(const Comparison& comparison, const std::string& tensor);

}  // namespace fusebox
