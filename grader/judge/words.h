#pragma once

#include <string_view>

namespace fusebox {

/// What a case's summary ends with if its host function came to its end and launched nothing.
inline constexpr std::string_view kNoKernel = "launched no kernel";

}  // namespace fusebox
