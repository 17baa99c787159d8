#include "grader/judge/misplaced_stores.h"

#include <fmt/format.h>

namespace fusebox {

std::string misplaced_stores(const Fault& fault, const std::string& output, const Comparison& compared) {
  if (!fault.between_stores || fault.buffer != output || compared.unwritten == 0) return {};
  return fmt::format(
      "The index gives several threads one element here, and nobody writes {} of the {} elements of `{}`: look at the index of this store before anything else.",
      compared.unwritten, compared.elements, output);
}

}  // namespace fusebox
