#pragma once

#include <string>

#include "grader/judge/suspect/suspect.h"

namespace fusebox {

/// What is true of the sizes of all cases that failed, and of none that passed; or of all that have a fault,
/// and of no other. It is no cause, but says where to look for one: at the edge of a tile, in what short rows
/// leave without work, on the way that float4s take. "it shows where `N` is a multiple of 4, and in no other
/// case"; empty where nothing simple is.
std::string where_it_shows(const Suspect& suspect);

}  // namespace fusebox
