#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/judge/cases/services.h"
#include "grader/judge/source/source_file.h"

namespace fusebox {

/// What texts compile to, by text.
using CompiledTexts = std::map<std::string, Artifact>;

/// Compiles texts many at a time, each in a namespace of its own: a compiler's start and its headers cost
/// more than a kernel. Of `trials`, which are not graded themselves, those with the host code of `reference`
/// are compiled for the device alone. What does not compile alone is left out. An error is the machine's.
Result<CompiledTexts> compile_answers(const Services& services, const std::vector<SourceFile>& answers,
                                      const SourceFile& reference, const std::vector<SourceFile>& trials);

/// The same services, which know these texts. `texts` must live as long as they do.
Services with_known(Services services, const CompiledTexts& texts);

}  // namespace fusebox
