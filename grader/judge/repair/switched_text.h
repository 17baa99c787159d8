#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/repair/edits/text_edit.h"

/// Many edits made in one text, so that they are compiled once and chosen among as it is carried out.
namespace fusebox {

/// A text with many edits in it, each behind a condition.
struct SwitchedText {
  std::string text;
  /// For each line of `text` the edits that a message about it may mean, numbers from 1: the one in it, or
  /// all of a place that is chosen among there.
  std::vector<std::vector<std::size_t>> edits_of_line;
};
/// The switch of device code, a variable in constant memory; the host's is kHostEditSwitch.
inline constexpr std::string_view kEditSwitch = "fusebox_edit";
/// Those of `edits` that are made in a place across another's, neither in it nor apart: with_switches leaves
/// the second of two such places as it is.
std::vector<bool> lie_across(std::span<const TextEdit> edits);
/// Those of `edits` of which `keep` is set: the i-th is made where the switch is i + 1, and none where it is
/// 0 or one more than there are edits.
SwitchedText with_switches(std::string_view text, std::span<const TextEdit> edits,
                           const std::vector<bool>& keep, Side side = Side::device);

}  // namespace fusebox
