// The recorder of tests: without the defences that the name by which it is started has the numbers of, as in
// "without-4-5".
#include <errno.h>

#include <sstream>
#include <string>

#include "grader/confine/defences.h"

namespace fusebox {

std::uint64_t in_force(Defence defence, std::uint64_t normal) {
  std::istringstream parts(program_invocation_short_name);
  for (std::string part; std::getline(parts, part, '-');)
    if (part == std::to_string(static_cast<int>(defence))) return 0;
  return normal;
}

}  // namespace fusebox
