#include "grader/cli/workshop/dev/parity_full.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "grader/cli/render/style.h"
#include "grader/cli/verbs/machine.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/cli/workshop/bench/bench_files.h"
#include "grader/cli/workshop/bench/bench_table.h"
#include "grader/judge/full_size.h"
#include "grader/judge/grading.h"
#include "grader/parity/full_rows.h"
#include "grader/simulator/simulator.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

/// Times may be fitted to these puzzles' rows alone: of odd numbers, and p04 and p20. All others are held
/// out.
bool is_fitted(const std::string& puzzle) {
  return puzzle == "p04" || puzzle == "p20" || (puzzle.back() - '0') % 2 == 1;
}

/// What the GPU's own counter says of a launch; nothing when it was not asked.
std::optional<double> counted(const BenchStep& step, std::string_view metric) {
  const auto counters = hardware_counters();
  for (std::size_t i = 0; i < counters.size() && i < step.counters.size(); ++i)
    if (counters[i].metric == metric) return step.counters[i];
  return std::nullopt;
}

std::optional<double> counted_bytes(const BenchRow& row) {
  double sum = 0;
  for (const BenchStep& step : row.steps) {
    if (step.counters.empty()) continue;  // a copy or a memset
    const auto read = counted(step, "dram__bytes_read.sum"), written = counted(step, "dram__bytes_write.sum");
    if (!read || !written) return std::nullopt;
    sum += *read + *written;
  }
  return sum > 0 ? std::optional(sum) : std::nullopt;
}

/// What the model says of one file at one size.
class FullSizeModel {
 public:
  FullSizeModel(const Services& services, const Puzzle& puzzle, const TimedCase& timed)
      : services_(services), puzzle_(puzzle), size_(*puzzle.full_size) {
    size_.which = timed.which;
    size_.min_bytes = timed.min_bytes;
  }

  Result<bool> fill(const BenchFile& file, FullRow& row) const {
    const auto entry = std::find_if(puzzle_.entries.begin(), puzzle_.entries.end(),
                                    [&](const Entry& e) { return e.name == row.entry; });
    if (entry == puzzle_.entries.end()) return refuse(row, "there is no such entry");
    FullSizeOptions options;
    options.seconds = 0;
    auto run = run_full_size(services_, file.source, *entry, size_, options);
    if (!run) return run.error();
    if (!run->problem.empty()) return refuse(row, run->problem);
    options.cold_launches = true;
    const auto cold = run_full_size(services_, file.source, *entry, size_, options);
    if (!cold) return cold.error();
    row.modelled_seconds = run->seconds;
    row.bound_by = run->bound_by;
    row.modelled_bytes = static_cast<double>(cold->dram_read_bytes + cold->dram_write_bytes);
    return true;
  }

 private:
  static Result<bool> refuse(FullRow& row, std::string problem) {
    row.problem = std::move(problem);
    return false;
  }

  const Services& services_;
  const Puzzle& puzzle_;
  FullSizeCase size_;
};

/// The rows of one recorded table; those of libraries, copies and other puzzles' files are left out.
Result<bool> compare_table(const Services& services, const Puzzle& puzzle, const TimedCase& timed,
                           const BenchTable& table, const std::vector<BenchFile>& files,
                           std::vector<FullRow>& rows) {
  const FullSizeModel model(services, puzzle, timed);
  for (const BenchRow& recorded : table.rows) {
    const auto file = std::find_if(files.begin(), files.end(),
                                   [&](const BenchFile& f) { return f.label == recorded.label; });
    const auto bytes = counted_bytes(recorded);
    if (file == files.end() || file->label.starts_with("rung") || !recorded.seconds || !bytes) continue;
    show_progress(fmt::format("{} at {}: {} {}", puzzle.id, table.sizes, recorded.label, recorded.entry));
    FullRow row{puzzle.id, table.sizes, recorded.label, recorded.entry};
    row.recorded_bytes = *bytes;
    row.recorded_seconds = recorded.seconds->median;
    row.held_out = !is_fitted(puzzle.id);
    if (auto filled = model.fill(*file, row); !filled) return filled.error();
    rows.push_back(std::move(row));
  }
  return true;
}

}  // namespace

int dev_parity_full(const WorkspacePaths& paths, const Options& options) {
  auto machine = Machine::open(paths, options);
  if (!machine) return fail(machine.error());
  const auto profile = load_gpu_profile(paths.assets(), options.gpu);
  if (!profile) return fail(profile.error());
  sim::Simulator simulator(*profile);
  Services services = (*machine)->services();
  services.device = &simulator;
  services.gpu = *profile;
  const auto record = recorded_of(paths, options.gpu);
  if (!record) return fail(record.error());

  const Puzzle* only = nullptr;
  if (!options.puzzle.empty()) {
    const auto asked = asked_puzzle(options);
    if (!asked) return fail(asked.error());
    only = *asked;
  }

  Options as_recorded = options;
  as_recorded.from = paths.solutions().string();
  as_recorded.mistakes = true;
  std::vector<FullRow> rows;
  for (const Puzzle& puzzle : puzzles()) {
    if (!puzzle.full_size || (only != nullptr && &puzzle != only)) continue;
    const auto files = files_for(paths, as_recorded, puzzle);
    if (!files) return fail(files.error());
    for (const TimedCase& timed : sizes_of(puzzle)) {
      const auto table = std::find_if(record->tables.begin(), record->tables.end(), [&](const BenchTable& t) {
        return t.puzzle == puzzle.id && t.sizes == sizes_text(timed.which);
      });
      if (table == record->tables.end()) {
        rows.push_back({puzzle.id, sizes_text(timed.which), "all", "all"});
        rows.back().problem = "not recorded";
        continue;
      }
      auto compared = compare_table(services, puzzle, timed, *table, *files, rows);
      if (!compared) return fail(compared.error());
    }
  }
  show_progress("");
  fmt::print("{}", render_full_rows(rows));
  return 0;
}

}  // namespace fusebox
