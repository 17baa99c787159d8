#pragma once

#include "grader/toolchain/toolchain.h"

namespace fusebox {

/// The compiler that ./fusebox uses in the checkout that this program was built from: for tests and
/// benchmarks, which know both folders from CMake. There is no other way for them to look for one.
inline Result<Compiler> find_checkout_compiler() {
  return find_compiler(toolkit_folder(FUSEBOX_SOURCE_DIR, FUSEBOX_BINARY_DIR));
}

}  // namespace fusebox
