#pragma once

#include <string>
#include <variant>

#include "grader/judge/cases/case_runner.h"
#include "grader/judge/cases/services.h"
#include "grader/judge/source/source_file.h"

namespace fusebox {

/// A program, or why its text does not compile.
using ProgramResult = std::variant<CompiledFile, CompileFailure>;

/// `program` with the device code of another text, which has the same kernels: its host functions stay what
/// they are.
Result<ProgramResult> with_device_code(const Services& services, const CompiledFile& program,
                                       const SourceFile& source);

/// `ptx` whose `static` names, which differ from text to text, are those of `other`: a host program of that
/// one finds them.
std::string with_static_names_of(const std::string& other, std::string ptx);

}  // namespace fusebox
