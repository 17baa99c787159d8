#pragma once

#include "grader/catalog/puzzle.h"
#include "grader/gpu/protocol.h"
#include "grader/judge/cases/case_runner.h"

namespace fusebox {

/// What libraries are asked to do with a call's tensors.
gpu::LinearRequest linear_request(const LinearBaseline& names, const Call& call);
gpu::NormRequest norm_request(const NormBaseline& names, const Call& call);

/// A library is trusted no more than a learner. It was asked for what the puzzle computes, or for its product
/// alone.
bool is_right(const TimedCase& timed, const Call& call, const gpu::VariantTimes& baseline);

}  // namespace fusebox
