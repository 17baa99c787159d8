#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "grader/cli/render/style.h"
#include "grader/judge/workshop/bench.h"
#include "grader/report/result.h"

namespace fusebox {

/// Tables that were measured together, on one GPU.
struct BenchRecord {
  std::vector<BenchTable> tables;
};

/// A record as JSON text and back. Times in seconds, rates in bytes per second; what was not measured is
/// null. Text that is something else is an error that says what is wrong.
std::string bench_to_json(const BenchRecord& record);
Result<BenchRecord> bench_from_json(std::string_view text);

/// One table for people, with everything that is needed to judge it.
std::string render_bench(const BenchTable& table, const Style& style);

}  // namespace fusebox
