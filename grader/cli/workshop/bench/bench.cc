#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <random>

#include "grader/catalog/puzzle_text.h"
#include "grader/cli/render/style.h"
#include "grader/cli/verbs/machine.h"
#include "grader/cli/verbs/verbs.h"
#include "grader/cli/workshop/bench/bench_files.h"
#include "grader/cli/workshop/bench/bench_table.h"
#include "grader/judge/cases/mistakes.h"
#include "grader/judge/source/source_file.h"
#include "grader/toolchain/blanks.h"
#include "grader/toolchain/cache/files.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

constexpr int kBlockSizes[] = {64, 128, 256, 512, 1024};

std::vector<const Puzzle*> wanted(const std::string& name) {
  std::vector<const Puzzle*> some;
  for (const Puzzle& puzzle : puzzles())
    if (name.empty() || name == "all" || &puzzle == find_puzzle(name)) some.push_back(&puzzle);
  return some;
}

bool is_filled(const SourceFile& file) {
  const auto blanks = find_blanks(file.text);
  return !blanks || std::none_of(blanks->begin(), blanks->end(), [](const Blank& b) { return b.empty; });
}

/// What is right and costs too much: the reference with each known mistake that breaks a budget.
Result<std::vector<BenchFile>> costly_mistakes(const WorkspacePaths& paths, const Puzzle& puzzle,
                                               const SourceFile& reference) {
  std::vector<BenchFile> files;
  auto mutants = load_mutants({paths.texts(), puzzle});
  if (!mutants) return mutants.error();
  for (const Mutant& mutant : *mutants) {
    if (mutant.reason != Reason::over_budget) continue;
    auto file = with_mistake(reference, mutant);
    if (!file) return file.error();
    files.push_back({"mistake " + mutant.name, std::move(*file), mutant.entry});
  }
  return files;
}

}  // namespace

bool same_ladder(const Puzzle& a, const Puzzle& b) {
  return a.entries.size() == 1 && b.entries.size() == 1 &&
         a.entries[0].signature.demangled() == b.entries[0].signature.demangled();
}

std::vector<TimedCase> sizes_of(const Puzzle& puzzle) {
  std::vector<TimedCase> all = puzzle.timed;
  const auto& full = puzzle.full_size;
  if (full && std::none_of(all.begin(), all.end(),
                           [&](const TimedCase& timed) { return timed.which.sizes == full->which.sizes; }))
    all.push_back({full->which, full->min_bytes});
  return all;
}

Result<std::vector<BenchFile>> files_for(const WorkspacePaths& paths, const Options& options,
                                         const Puzzle& puzzle) {
  std::vector<BenchFile> files;
  const fs::path folder = options.from.empty() ? paths.puzzles() : fs::path(options.from);
  auto mine = read_source(folder / puzzle.file_name());
  auto reference = read_source(paths.solutions() / puzzle.file_name());
  if (!reference) return reference.error();
  if (!mine && !options.from.empty()) return mine.error();
  if (mine && mine->text != reference->text && is_filled(*mine)) files.push_back({"you", *mine});
  files.push_back({"reference", *reference});
  std::error_code error;
  if (fs::exists(paths.optimized() / puzzle.file_name(), error))
    if (auto optimized = read_source(paths.optimized() / puzzle.file_name()))
      files.push_back({"optimized", *optimized});
  if (options.block_sizes) {
    const BenchFile swept = files.front();
    for (const int threads : kBlockSizes)
      if (auto text = with_block_size(swept.source.text, threads))
        files.push_back({fmt::format("{}, {} threads", swept.label, threads), {swept.source.path, *text}});
    return files;
  }
  for (const Puzzle& other : puzzles()) {
    if (&other == &puzzle || !same_ladder(other, puzzle)) continue;
    if (auto step = read_source(paths.solutions() / other.file_name()))
      files.push_back({"rung " + other.id, *step});
  }
  if (options.mistakes) {
    auto costly = costly_mistakes(paths, puzzle, *reference);
    if (!costly) return costly.error();
    std::move(costly->begin(), costly->end(), std::back_inserter(files));
  }
  return files;
}

namespace {

std::string file_name_for(const std::string& gpu) {
  std::string name;
  for (char c : gpu) {
    const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (word) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!word && !name.empty() && name.back() != '-') name += '-';
  }
  return name + ".json";
}

Result<BenchRecord> read_record(const fs::path& file) {
  auto text = read_source(file);
  if (!text) return text.error();
  auto record = bench_from_json(text->text);
  if (!record)
    return Error{record.error().kind, file.string() + ": " + record.error().what, record.error().remedy};
  return record;
}

/// Puts tables among those that are recorded of this GPU, in the place of older ones.
std::optional<Error> keep(const WorkspacePaths& paths, BenchRecord record) {
  // What a learner wrote is not what the workbook quotes.
  for (BenchTable& table : record.tables)
    std::erase_if(table.rows, [](const BenchRow& row) { return row.label.starts_with("you"); });
  const fs::path folder = paths.recorded();
  const fs::path file = folder / file_name_for(record.tables.front().gpu);
  std::error_code error;
  fs::create_directories(folder, error);
  if (fs::exists(file, error)) {
    auto before = read_record(file);
    if (!before) return before.error();
    std::vector<BenchTable> all;
    for (BenchTable& old : before->tables)
      if (std::none_of(record.tables.begin(), record.tables.end(), [&](const BenchTable& fresh) {
            return fresh.puzzle == old.puzzle && fresh.sizes == old.sizes;
          }))
        all.push_back(std::move(old));
    for (BenchTable& fresh : record.tables) all.push_back(std::move(fresh));
    std::stable_sort(all.begin(), all.end(),
                     [](const BenchTable& a, const BenchTable& b) { return a.puzzle < b.puzzle; });
    record.tables = std::move(all);
  }
  if (auto failed = write_atomically(file, bench_to_json(record))) return failed;
  fmt::print("recorded in {}\n", shown(file));
  return std::nullopt;
}

/// "NVIDIA H200, 2026-11-22, with `grader bench p04`": the command if it made all of these tables.
std::string provenance(const std::vector<BenchTable>& tables) {
  const auto [first, last] = std::minmax_element(
      tables.begin(), tables.end(), [](const auto& a, const auto& b) { return a.date < b.date; });
  std::string text = tables.front().gpu + ", " + first->date;
  if (last->date != first->date) text += " to " + last->date;
  const std::string& command = tables.front().command;
  const bool one = std::all_of(tables.begin(), tables.end(),
                               [&](const BenchTable& table) { return table.command == command; });
  return one && !command.empty() ? fmt::format("{}, with `{}`", text, command) : text;
}

/// Without a GPU: what was measured on one earlier, and said to be so.
int show_recorded(const WorkspacePaths& paths, const Options& options,
                  const std::vector<const Puzzle*>& which) {
  const Style style = style_for(STDOUT_FILENO, options.no_color);
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(paths.recorded(), error))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::size_t shown_tables = 0;
  for (const fs::path& file : files) {
    auto record = read_record(file);
    if (!record) return fail(record.error());
    std::erase_if(record->tables, [&](const BenchTable& table) {
      return std::none_of(which.begin(), which.end(), [&](const Puzzle* p) { return p->id == table.puzzle; });
    });
    if (record->tables.empty()) continue;
    fmt::print("{}\n",
               style.open(fmt::format("There is no GPU here. Recorded on {}:", provenance(record->tables))));
    for (const BenchTable& table : record->tables) fmt::print("\n{}", render_bench(table, style));
    if (!options.json.empty())
      if (auto failed = write_atomically(options.json, bench_to_json(*record))) return fail(*failed);
    shown_tables += record->tables.size();
  }
  if (shown_tables > 0) return 0;
  return fail({ErrorKind::missing_part, "there is no GPU here, and nothing was recorded of this",
               "run it on a machine with an NVIDIA GPU"});
}

}  // namespace

Result<BenchRecord> recorded_of(const WorkspacePaths& paths, const std::string& gpu) {
  return read_record(paths.recorded() / fmt::format("nvidia-{}.json", gpu));
}

int bench_verb(const WorkspacePaths& paths, const Options& options) {
  const bool all = options.puzzle.empty() || options.puzzle == "all";
  if (!all)
    if (const auto asked = asked_puzzle(options); !asked) return fail(asked.error());
  const auto which = wanted(options.puzzle);
  if (options.backend == "sim" || (options.backend == "auto" && !gpu::driver_is_present()))
    return show_recorded(paths, options, which);
  Options measured = options;
  measured.backend = "gpu";
  auto machine = Machine::open(paths, measured);
  if (!machine) return fail(machine.error());

  const Style style = style_for(STDOUT_FILENO, options.no_color);
  BenchOptions settings;
  settings.progress = show_progress;
  settings.seconds = options.bench_seconds;
  settings.counters = options.ncu_style;
  // Other numbers in every run: a kernel cannot have learnt them.
  settings.seed = options.seed.value_or(std::random_device{}() % 1'000'000);
  BenchRecord record;
  const std::time_t now = std::time(nullptr);
  const std::string date = fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
  std::string command = fmt::format("grader bench {}{}{}", all ? "all" : options.puzzle,
                                    options.from.empty() ? "" : " --from " + options.from,
                                    options.block_sizes ? " --block-sizes" : "");
  if (options.mistakes) command += " --mistakes";
  if (options.ncu_style) command += " --ncu-style";
  bool wrong = false;
  for (const Puzzle* puzzle : which) {
    auto files = files_for(paths, options, *puzzle);
    if (!files) return fail(files.error());
    for (const TimedCase& timed : sizes_of(*puzzle)) {
      auto table = bench(*puzzle, timed, *files, (*machine)->services(), *(*machine)->gpu(), settings);
      show_progress("");
      if (!table) return fail(table.error());
      table->date = date, table->command = command;
      fmt::print("{}{}", record.tables.empty() ? "" : "\n", render_bench(*table, style));
      std::fflush(stdout);
      for (const BenchRow& row : table->rows) wrong |= !row.problem.empty();
      record.tables.push_back(std::move(*table));
    }
  }
  if (record.tables.empty())
    return fail({ErrorKind::wrong_usage, fmt::format("{} has no sizes to be timed at", options.puzzle),
                 "`grader bench all` times those that have"});
  if (!options.json.empty())
    if (auto failed = write_atomically(options.json, bench_to_json(record))) return fail(*failed);
  if (options.record)
    if (auto failed = keep(paths, std::move(record))) return fail(*failed);
  return wrong ? 1 : 0;
}

}  // namespace fusebox
