#pragma once

#include <string_view>

namespace fusebox {

/// Takes `prefix` off the front of `s`; false, and s as it was, when it does not begin so.
inline bool take(std::string_view& s, std::string_view prefix) {
  if (!s.starts_with(prefix)) return false;
  s.remove_prefix(prefix.size());
  return true;
}

}  // namespace fusebox
