#pragma once

#include <string>

/// Sentences that are put together of others.
namespace fusebox {

/// As it goes on after a colon; a name in capitals stays.
std::string lower_first(std::string sentence);
std::string without_stop(std::string sentence);

}  // namespace fusebox
