#pragma once

#include <string>
#include <string_view>

namespace fusebox {

/// What of a text the host's compiler makes a program of: the text without the bodies of functions that are
/// for the device alone, and without space around its lines. Texts of which this is the same differ in their
/// device code and in nothing else.
std::string host_code_of(std::string_view text);

}  // namespace fusebox
