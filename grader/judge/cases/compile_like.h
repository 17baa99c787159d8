#pragma once

#include <functional>

#include "grader/judge/cases/services.h"
#include "grader/judge/source/source_file.h"

namespace fusebox {

/// `host` with what a GPU runs of another text, `module`, whose host code is the same.
Artifact with_module(const Artifact& host, ModuleImage module);

/// `source`, compiled. Where its host code is that of `reference`, which learners seldom change, only what a
/// GPU runs is compiled, in little more than half of the time, and launched by the reference's host program:
/// `host`, asked for only then. Null: there is none, and all of `source` is compiled.
Result<CompileResult> compile_like(const Services& services, const SourceFile& reference,
                                   const std::function<const Artifact*()>& host, const SourceFile& source);

}  // namespace fusebox
