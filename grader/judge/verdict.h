#pragma once

#include <span>
#include <string>

#include "grader/catalog/puzzle.h"
#include "grader/report/report.h"
#include "grader/toolchain/toolchain.h"

namespace fusebox {

/// Failed before unsolved before skipped before passed; nothing checked is skipped, never passed.
Outcome outcome_of(std::span<const Check> checks);

/// Sets the report's verdict and its sentence out of its entries: what is wrong first, and what to do next.
void conclude(Report& report, const Puzzle& puzzle);

/// "4, allowed 1"; whoever shows it names the metric.
std::string describe_budget(const BudgetLine& line);

/// "does not compile: 2 errors, the first at p20_layernorm_linear.cu:41:7".
std::string describe_compile_failure(const CompileFailure& failure);

/// "file:line:column: error: text", as compilers write it.
std::string to_string(const Diagnostic& diagnostic);

}  // namespace fusebox
