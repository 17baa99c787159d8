#pragma once

namespace fusebox {

/// Of assets/recorded/<gpu>.json, which `bench` writes and the viewer reads. 2: each table has a date and a
/// command of its own.
inline constexpr int kBenchSchema = 2;

}  // namespace fusebox
