#pragma once

#include <string>
#include <string_view>

namespace fusebox::classroom {

/// Valid UTF-8 without control characters but line ends and tabs: what is not becomes U+FFFD.
std::string plain(std::string_view text);

/// plain(), and as text of XML or HTML, inside attributes too.
std::string escaped(std::string_view text);

}  // namespace fusebox::classroom
