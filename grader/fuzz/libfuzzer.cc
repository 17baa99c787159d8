#include "grader/fuzz/novelty.h"

namespace fusebox::fuzz {
void reached(std::string_view) {}
}  // namespace fusebox::fuzz
