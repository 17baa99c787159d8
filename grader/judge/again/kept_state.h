#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "grader/judge/again/second_call.h"

namespace fusebox {

/// What of the calls before is in the way of the last one, which is wrong; a clause whose subject is the
/// function or what it keeps. Found by trial: what is made anew for the last call, and mends it; else the
/// first thing that the last call asks the device for and a first one would not. Empty: neither was found.
std::string what_is_kept(const Services& services, const CompiledFile& program, std::size_t function,
                         const Entry& entry, CallsBefore before, const Problem& last,
                         const SecondCall& calls);

/// Where a function may keep something from one call to the next: the word `static` inside of braces, unless
/// what it declares is known to the compiler.
std::vector<std::size_t> static_places(std::string_view text);

/// The first launch of the last of several calls that is not as it is in a plan of that call alone: its
/// kernel, its grid or blocks, an argument that is no address; or memory that it does not
/// allocate. Empty: there is none.
std::string difference(const LaunchPlan& calls, const LaunchPlan& alone, const CompiledFile& program);

}  // namespace fusebox
