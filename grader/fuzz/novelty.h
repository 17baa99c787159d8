#pragma once

#include <cstdint>
#include <string_view>

namespace fusebox::fuzz {

/// A target tells what an input led to: a word of its own, or an error's text, in which digits and quoted
/// names do not count. The driver keeps inputs that lead to something new, and changes those further. Under
/// libFuzzer, which sees for itself where an input goes, nothing listens.
void reached(std::string_view what);

}  // namespace fusebox::fuzz
