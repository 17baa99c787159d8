#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "grader/report/report.h"
#include "grader/report/result.h"

namespace fusebox {

/// A report as JSON text, UTF-8, one space of indentation. Field names are those of the structs; a launch's
/// counters are one flat object keyed by counter_fields(). An absent optional is null, never 0; 64-bit
/// integers are written in full; NaN and the infinities, which JSON has no number for, are the strings "NaN",
/// "Infinity" and "-Infinity". Bytes that are not UTF-8 become U+FFFD.
std::string to_json(const Report& report);

/// The way back. A report of a newer schema, text that breaks off, JSON that is something else, and a value
/// of the wrong kind are errors that say what is wrong and where ("entries[1].budgets[0].limit"). Fields that
/// are not known are ignored.
Result<Report> report_from_json(std::string_view text);

/// One launch on one line, and the way back.
std::string launch_to_json(const LaunchRecord& launch);
Result<LaunchRecord> launch_from_json(std::string_view line);

/// One run at full size, and the way back.
std::string full_size_run_to_json(const FullSizeRun& run);
Result<FullSizeRun> full_size_run_from_json(std::string_view text);

/// One counter of a launch: its key in JSON and where it lives. Keys are Nsight Compute's metric names where
/// one means exactly the same, and our own dotted names otherwise.
struct CounterField {
  const char* key;
  std::uint64_t& (*get)(Counters& counters);
  bool newer = false;           ///< reports written before it existed lack it
  const char* older = nullptr;  ///< its key in reports of earlier versions; null: the same
};
std::span<const CounterField> counter_fields();

}  // namespace fusebox
