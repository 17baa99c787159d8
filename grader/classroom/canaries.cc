#include "grader/classroom/canaries.h"

#include <fmt/format.h>

#include <future>
#include <iterator>

#include "grader/classroom/desk.h"
#include "grader/toolchain/cache/cache.h"

namespace fusebox::classroom {
namespace fs = std::filesystem;

namespace {

const std::string kWord = "canary_word_that_nobody_may_see";

// Behind the reference: what they do comes before anything is called.
constexpr const char* kIncludes = R"({}
#include "{}"
)";
constexpr const char* kFinds = R"({}
#if !__has_include("{}")
#error
#endif
)";
constexpr const char* kReads = R"({}
#include <fcntl.h>
#include <cstdio>
__attribute__((constructor)) static void canary() {{
  if (open("{}", O_RDONLY) >= 0) std::puts("{}"), __builtin_trap();
}}
)";
constexpr const char* kWrites = R"({}
#include <fcntl.h>
__attribute__((constructor)) static void canary() {{ open("{}", O_WRONLY | O_CREAT, 0600); }}
)";

constexpr const char* kReaches = R"(
echo began
cat "$1"
echo >"$2"
test -e "$3" && echo it sees the roots
grep -v lo: /proc/net/dev | grep : && echo it sees networks
)";

// How each attack has to end: another ending, a good one too, shows nothing.
struct Canary {
  const char* attack;
  std::string text;
  Verdict ends;
};

Error not_confined(const std::string& attack) {
  return {
      ErrorKind::missing_part, "submissions are not confined on this machine: " + attack,
      "grade on a machine whose kernel has Landlock and seccomp (`grader doctor`), or, where every submission is to be trusted, add --trust-submissions"};
}

// What Landlock and seccomp would refuse before bubblewrap has to is tried without them.
std::optional<Error> try_shell(const AnswerSettings& settings, const Wanted& puzzle, const fs::path& secret,
                               const fs::path& trace) {
  const Desk desk(settings.scratch / "canary");
  const auto run = run_confined(settings, puzzle, desk.path(),
                                {"/bin/sh", "-c", kReaches, "sh", secret.string(), trace.string(),
                                 (settings.root / "README.md").string()});
  if (!run) return run.error();
  const std::string& output = run->process.output;
  if (!output.starts_with("began"))
    return Error{ErrorKind::missing_part, "nothing can be graded here: " + output, "see `grader doctor`"};
  for (const std::string& word : {kWord, std::string("it sees")})
    if (output.find(word) != output.npos)
      return not_confined("a program in bubblewrap saw what is not its own");
  if (fs::exists(trace)) return not_confined("a program in bubblewrap wrote a file");
  return std::nullopt;
}

}  // namespace

std::optional<Error> try_canaries(const AnswerSettings& settings, const Wanted& puzzle) {
  const fs::path reference = settings.root / "solutions" / puzzle.file_name;
  const auto carrier = read_file(reference);
  if (!carrier) return carrier.error();
  const fs::path secret = settings.scratch / "secret", trace = settings.scratch / "trace";
  if (!write_file(secret, kWord + "\n")) return Cache::cannot_write(settings.scratch, "no room for a file");
  const Canary canaries[] = {
      {"a file included another one by its path", fmt::format(kIncludes, *carrier, secret.string()),
       Verdict::compile_error},
      {"a file found the reference by its path", fmt::format(kFinds, *carrier, reference.string()),
       Verdict::compile_error},
      {"a host function opened a file that is not its own",
       fmt::format(kReads, *carrier, secret.string(), kWord), Verdict::pass},
      {"a host function wrote a file", fmt::format(kWrites, *carrier, trace.string()),
       Verdict::runtime_error},
  };
  // All at once: a class waits for them, whatever its size.
  std::vector<std::future<GradedAnswer>> runs;
  for (const Canary& canary : canaries)
    runs.push_back(std::async(std::launch::async, [&, desk = fmt::format("canary-{}", runs.size())] {
      return grade_answer(settings, puzzle, canary.text, desk);
    }));
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const GradedAnswer graded = runs[k].get();
    if (graded.row.verdict == Verdict::infra_error)
      return Error{ErrorKind::missing_part, "nothing can be graded here: " + graded.row.text,
                   fmt::format("see `grader doctor`; then `grader {} --from solutions`", puzzle.id)};
    if (graded.row.verdict != canaries[k].ends || graded.output.find(kWord) != graded.output.npos)
      return not_confined(fmt::format("{} (it ended in {}, not in {})", canaries[k].attack,
                                      to_string(graded.row.verdict), to_string(canaries[k].ends)));
  }
  if (fs::exists(trace)) return not_confined(std::rbegin(canaries)->attack);
  if (settings.bubblewrap.empty()) return std::nullopt;
  return try_shell(settings, puzzle, secret, trace);
}

std::optional<Error> try_cases(const AnswerSettings& settings, const std::vector<Wanted>& puzzles) {
  for (const Wanted& puzzle : puzzles) {
    if (puzzle.cases.empty()) continue;
    const auto reference = read_file(settings.root / "solutions" / puzzle.file_name);
    if (!reference) return reference.error();
    const Row row = grade_answer(settings, puzzle, *reference, "cases").row;
    if (row.verdict == Verdict::pass) continue;
    return Error{ErrorKind::wrong_usage,
                 fmt::format("the reference of {} does not pass the cases {} of the course: {}: {}",
                             puzzle.id, puzzle.cases, to_string(row.verdict), row.text),
                 "choose sizes nearer to those of the puzzle's own cases"};
  }
  return std::nullopt;
}

}  // namespace fusebox::classroom
