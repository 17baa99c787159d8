#pragma once

#include <string>
#include <vector>

/// Sentences that are put together of others.
namespace fusebox {

/// As it goes on after a colon; a name in capitals stays.
std::string lower_first(std::string sentence);
std::string without_stop(std::string sentence);

/// "`a`, `b` and `c`"
std::string quoted_list(const std::vector<std::string>& names);

}  // namespace fusebox
