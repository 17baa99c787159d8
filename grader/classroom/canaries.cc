#include "grader/classroom/canaries.h"

#include <fmt/format.h>

#include "grader/confine/landlock.h"
#include "grader/toolchain/cache.h"

namespace fusebox::classroom {
namespace fs = std::filesystem;

namespace {

const std::string kWord = "canary_word_that_nobody_may_see";

// Behind the reference: what they do comes before anything is called.
constexpr const char* kIncludes = R"({}
#include "{}"
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

// How each attack has to end: another ending, a good one too, shows nothing.
struct Canary {
  const char* attack;
  std::string text;
  Verdict ends;
};

}  // namespace

std::string confinement_tier() {
  const int version = landlock_version();
  return version == 0 ? "" : fmt::format("Landlock {}, seccomp", version);
}

std::optional<Error> try_canaries(const AnswerSettings& settings, const Wanted& puzzle) {
  const auto carrier = read_file(settings.root / "solutions" / puzzle.file_name);
  if (!carrier) return carrier.error();
  const fs::path secret = settings.scratch / "secret", trace = settings.scratch / "trace";
  if (!write_file(secret, kWord + "\n")) return Cache::cannot_write(settings.scratch, "no room for a file");
  const Canary canaries[] = {
      {"a file included another one by its path", fmt::format(kIncludes, *carrier, secret.string()),
       Verdict::compile_error},
      {"a host function opened a file that is not its own",
       fmt::format(kReads, *carrier, secret.string(), kWord), Verdict::pass},
      {"a host function wrote a file", fmt::format(kWrites, *carrier, trace.string()),
       Verdict::runtime_error},
  };
  for (const Canary& canary : canaries) {
    const GradedAnswer graded = grade_answer(settings, puzzle, canary.text, "canary");
    if (graded.row.verdict == Verdict::infra_error)
      return Error{ErrorKind::missing_part, "nothing can be graded here: " + graded.row.text,
                   fmt::format("see `grader doctor`; then `grader {} --from solutions`", puzzle.id)};
    if (graded.row.verdict != canary.ends || fs::exists(trace) ||
        graded.output.find(kWord) != graded.output.npos)
      return Error{
          ErrorKind::missing_part,
          fmt::format("submissions are not confined on this machine: {} (it ended in {}, not in {})",
                      canary.attack, to_string(graded.row.verdict), to_string(canary.ends)),
          "grade on a machine whose kernel has Landlock and seccomp (`grader doctor`), or, where every submission is to be trusted, add --trust-submissions"};
  }
  return std::nullopt;
}

}  // namespace fusebox::classroom
