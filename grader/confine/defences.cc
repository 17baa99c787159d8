#include "grader/confine/defences.h"

namespace fusebox {

// Weak: the linker takes another one where a program has it, and no compiler counts on what this one returns.
__attribute__((weak)) std::uint64_t in_force(Defence, std::uint64_t normal) { return normal; }

}  // namespace fusebox
