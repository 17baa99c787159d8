#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/judge/cases/services.h"
#include "grader/judge/source/source_file.h"

namespace fusebox {

/// What texts compile to, by text.
using CompiledTexts = std::map<std::string, Artifact>;

/// Compiles `sources` many at a time, each in a namespace of its own: a compiler's start and its headers cost
/// more than a kernel. What does not compile alone is left out. An error is the machine's.
Result<CompiledTexts> compile_answers(const Services& services, const std::vector<SourceFile>& sources);

/// The same services, which know these texts. `texts` must live as long as they do.
Services with_known(Services services, const CompiledTexts& texts);

}  // namespace fusebox
