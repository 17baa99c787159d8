#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "grader/cli/files.h"
#include "grader/cli/machine.h"
#include "grader/cli/render.h"
#include "grader/cli/style.h"
#include "grader/cli/verbs.h"
#include "grader/judge/source_file.h"
#include "grader/judge/workbook.h"
#include "grader/toolchain/blanks.h"

namespace fusebox {
namespace {

namespace fs = std::filesystem;

std::string spec_skeleton(const std::string& id, const std::string& slug, const std::string& title) {
  return fmt::format(R"(#include "grader/catalog/build.h"

namespace fusebox {{
namespace {{

// What a wrong kernel gets wrong decides which sizes belong here.
std::vector<Case> cases() {{
  return {{
      {{"n_1", "the smallest size", {{{{"N", 1}}}}}},
      {{"n_255", "one short of a block", {{{{"N", 255}}}}}},
      {{"n_65536", "large enough to count", {{{{"N", 65536}}}}, "normal", true}},
  }};
}}

Problem make(const Case& which, Random& random) {{
  const std::int64_t n = size_of_case(which, "N");
  auto x = random.normals(n);
  std::vector<double> expected;
  for (double value : x) expected.push_back(value);
  return {{{{input("x", DType::f32, {{n}}, std::move(x)), output("out", DType::f32, {{n}}, std::move(expected), {{0, 0, "a copy is exact"}}),
           int_of_case(which, "N")}}}};
}}

}}  // namespace

Puzzle {0}_{1}() {{
  Puzzle puzzle;
  puzzle.id = "{0}";
  puzzle.slug = "{1}";
  puzzle.title = "{2}";
  puzzle.cases = cases();
  puzzle.make = make;
  puzzle.entries = {{{{.name = "kernel",
                     .signature = signature<void(const float*, float*, int)>("{1}"),
                     .blanks = {{"{1}_body"}},
                     .intermediates = {{}},
                     .budgets = {{{{"launches", 1, "one kernel is enough"}}}}}}}};
  puzzle.hints = {{"first: a nudge", "second: the idea", "third: nearly the code"}};
  return puzzle;
}}

}}  // namespace fusebox
)",
                     id, slug, title);
}

std::string solution_skeleton(const std::string& id, const std::string& slug, const std::string& title) {
  return fmt::format(R"(// {0}: {2}
//
// What to do, in three sentences. Grade with: grader {0}

__global__ void {1}_kernel(const float* x, float* out, int n) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // FILL ME IN: {1}_body (roughly 1 line)
  if (i < n) out[i] = x[i];
  // END: {1}_body
}}

void {1}(const float* x, float* out, int n) {{ {1}_kernel<<<(n + 255) / 256, 256>>>(x, out, n); }}
)",
                     id, slug, title);
}

std::string lesson_skeleton(const std::string& id, const std::string& title) {
  return fmt::format(R"(# {}: {}

The idea, in a page.

## The bytes, by hand

## Traps

## What was claimed, what was counted
)",
                     id, title);
}

Workbook workbook_of(const House& house, Machine& machine) {
  Workbook workbook;
  workbook.puzzles = house.puzzles;
  workbook.solutions = house.solutions;
  workbook.lessons = house.assets / "lessons";
  workbook.services = machine.services();
  return workbook;
}

}  // namespace

int dev_check_verb(const House& house, const Options& options) {
  // The rules compare whole reports, and what is measured differs from run to run.
  Options counted = options;
  counted.backend = "sim";
  auto machine = Machine::open(house, counted);
  if (!machine) return fail(machine.error());
  const Style style = style_for(STDOUT_FILENO, options.no_color);
  Workbook workbook = workbook_of(house, **machine);
  workbook.seed = options.seed.value_or(20);

  std::size_t kept = 0, broken = 0;
  const auto show = [&](const std::vector<Check>& checks) {
    for (const Check& check : checks) {
      const bool good = check.outcome == Outcome::passed;
      (good ? kept : broken) += 1;
      if (!good || options.verbose) fmt::print("{}", render_check(check, style, !good));
    }
    std::fflush(stdout);
  };
  std::vector<const Puzzle*> asked;
  if (options.puzzle.empty()) {
    for (const Puzzle& puzzle : puzzles()) asked.push_back(&puzzle);
    show(check_shelves(workbook));
  } else {
    const auto puzzle = asked_puzzle(options);
    if (!puzzle) return fail(puzzle.error());
    asked.push_back(*puzzle);
  }
  for (const Puzzle* puzzle : asked) {
    fmt::print("{} {}\n", style.strong(puzzle->id), puzzle->slug);
    std::fflush(stdout);
    for (auto rules : {check_puzzle_files, check_unsolved, check_solution, check_beyond, check_mutants})
      show(rules(*puzzle, workbook));
  }
  fmt::print("{} rules kept, {} broken\n", kept, broken);
  return broken == 0 ? 0 : 1;
}

int dev_new_verb(const House& house, const Options& options) {
  const std::string &id = options.puzzle, &slug = options.slug;
  const bool id_good = id.size() == 3 && id[0] == 'p' && std::isdigit(static_cast<unsigned char>(id[1])) &&
                       std::isdigit(static_cast<unsigned char>(id[2]));
  const bool slug_good = !slug.empty() && std::islower(static_cast<unsigned char>(slug[0])) &&
                         std::all_of(slug.begin(), slug.end(), [](unsigned char c) {
                           return std::islower(c) || std::isdigit(c) || c == '_';
                         });
  if (!id_good || !slug_good)
    return fail({ErrorKind::wrong_usage, "a puzzle needs an id like p41 and a slug like scan_block",
                 "grader dev new p41 scan_block \"Scan in a block\""});
  if (find_puzzle(id) || find_puzzle(slug))
    return fail(
        {ErrorKind::wrong_usage, fmt::format("{} or {} is taken", id, slug), "`grader list` shows all"});
  const std::string title = options.title.empty() ? slug : options.title;
  const std::string solution = solution_skeleton(id, slug, title);
  const auto skeleton = strip_blanks(solution);
  if (!skeleton) return fail({ErrorKind::internal, skeleton.error().what, "please report it"});
  const std::pair<fs::path, std::string> files[] = {
      {house.solutions / (id + "_" + slug + ".cu"), solution},
      {house.root / "grader" / "catalog" / "specs" / (id + "_" + slug + ".cc"),
       spec_skeleton(id, slug, title)},
      {house.lesson(id), lesson_skeleton(id, title)},
      {house.puzzles / (id + "_" + slug + ".cu"), *skeleton},
  };
  for (const auto& [path, text] : files)
    if (fs::exists(path))
      return fail({ErrorKind::wrong_usage, shown(path) + " exists already", "choose another id"});
  for (const auto& [path, text] : files) {
    if (auto error = write_atomically(path, text)) return fail(*error);
    fmt::print("wrote {}\n", shown(path));
  }
  fmt::print("Fill in the first three, build, then: {0} dev skeletons && {0} dev check {1}\n", house.command,
             id);
  return 0;
}

int dev_skeletons_verb(const House& house, const Options& options) {
  int written = 0;
  for (const Puzzle& puzzle : puzzles()) {
    if (!options.puzzle.empty() && find_puzzle(options.puzzle) != &puzzle) continue;
    const auto solution = read_source(house.solutions / puzzle.file_name());
    if (!solution) return fail(solution.error());
    const auto skeleton = strip_blanks(solution->text);
    if (!skeleton) return fail(skeleton.error());
    const fs::path file = house.puzzles / puzzle.file_name();
    const auto current = read_source(file);
    if (current && current->text == *skeleton) continue;
    if (auto error = write_atomically(file, *skeleton)) return fail(*error);
    fmt::print("wrote {}\n", shown(file));
    ++written;
  }
  if (written == 0) fmt::print("puzzles/ is up to date\n");
  return 0;
}

int dev_warm_verb(const House& house, const Options& options) {
  auto machine = Machine::open(house, options);
  if (!machine) return fail(machine.error());
  const Services services = (*machine)->services();
  for (const Puzzle& puzzle : puzzles()) {
    const auto source = read_source(house.solutions / puzzle.file_name());
    if (!source) return fail(source.error());
    const auto compiled = services.compile(*source);
    if (!compiled) return fail(compiled.error());
    if (const auto* failure = std::get_if<CompileFailure>(&*compiled))
      return fail({ErrorKind::internal,
                   fmt::format("{} does not compile:\n{}", shown(source->path), failure->output), ""});
    if (options.verbose) fmt::print("{}\n", puzzle.file_name());
  }
  return 0;
}

}  // namespace fusebox
