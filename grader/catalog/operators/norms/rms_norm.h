#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/catalog/build.h"
#include "grader/catalog/formula.h"

/// What the RMSNorm puzzles in fp32 share: signature, cases, oracle with its error model, formula, full size.
namespace fusebox {

/// x, weight, out, rows, columns, eps.
Signature rms_norm_signature(std::string function);

/// Sizes at which wrong RMSNorms show; the last is the counted case, of 64 rows of 1024.
std::vector<Case> rms_norm_cases();

/// Arguments for rms_norm_signature(): x [rows, columns], weight [columns], out [rows, columns], rows,
/// columns, eps = 1e-5.
Problem make_rms_norm(const Case& which, Random& random);

/// What make_rms_norm() computes.
Formula rms_norm_formula();

/// Of one launch that asks for x `reads` times and for the weight once for each row, and writes out once.
std::vector<Budget> rms_norm_budgets(const Case& counted, int reads);
std::vector<Budget> rms_norm_full_size_budgets(int reads);

/// x and out of 128 MiB each, where memory decides.
std::vector<TimedCase> rms_norm_timed();
FullSizeCase rms_norm_full_size();

}  // namespace fusebox
