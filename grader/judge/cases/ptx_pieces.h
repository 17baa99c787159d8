#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

/// What a PTX text that holds many known mistakes is cut into, so that one of them costs no more than it has.
namespace fusebox {

/// Each source of a file that is compiled together is in a namespace of this name, with kMistakeDigits digits
/// behind it.
inline constexpr std::string_view kMistakeNamespace = "fusebox_mistake_";
inline constexpr std::size_t kMistakeDigits = 3;

/// A function, a variable or a line of its own, as it stands there.
struct PtxPiece {
  std::string_view text;
  bool of_all = true;  ///< it names no namespace of ours
  int owner = -1;      ///< the one that it names; -1: none or several
};
std::vector<PtxPiece> ptx_pieces(std::string_view ptx);

/// The pieces of one namespace, and those of all.
std::string ptx_of(const std::vector<PtxPiece>& pieces, int owner);

/// The text with functions that return at once: what kernels ask for is in front of their bodies.
std::string without_bodies(std::string_view ptx);

/// The text without the kernels that are not among these.
std::string with_kernels(std::string_view ptx, const std::set<std::string, std::less<>>& kernels);

}  // namespace fusebox
