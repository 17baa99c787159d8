#pragma once

#include <string>

#include "grader/cli/render/style.h"
#include "grader/device/gpu_profile.h"
#include "grader/simulator/runtime/journal.h"

namespace fusebox {

/// What a program did on the simulator: a row per kernel, its faults, what could not be done, what to know.
std::string render_program(const sim::Journal& journal, const GpuProfile& gpu, const Style& style);

}  // namespace fusebox
