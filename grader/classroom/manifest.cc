#include "grader/classroom/manifest.h"

#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "grader/classroom/canaries.h"
#include "grader/report/json/json_text.h"
#include "grader/toolchain/cache/cache.h"
#include "grader/toolchain/cache/files.h"
#include "grader/toolchain/cache/sha256.h"

namespace fusebox::classroom {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr std::size_t kUsualChunk = 10;
constexpr std::size_t kMaxTasks = 1000;  // Slurm's MaxArraySize is 1001 where nobody says otherwise

std::string id_of(const std::string& text) { return sha256_hex(text).substr(0, 16); }

json how_to_json(const BatchSettings& settings) {
  const AnswerSettings& how = settings.how;
  return {{"grader", how.grader.string()},
          {"root", how.root.string()},
          {"cache", how.cache.string()},
          {"submissions", settings.submissions.string()},
          {"version", settings.version},
          {"seed", how.seed},
          {"seconds", how.seconds},
          {"memory_mib", how.memory_mib},
          {"backend", how.backend},
          {"jobs", settings.jobs},
          {"unpacker", how.unpacker.string()},
          {"course", settings.course}};
}

BatchSettings how_from_json(const json& from) {
  BatchSettings settings;
  AnswerSettings& how = settings.how;
  how.grader = from.at("grader").get<std::string>();
  how.root = from.at("root").get<std::string>();
  how.cache = from.at("cache").get<std::string>();
  settings.submissions = from.at("submissions").get<std::string>();
  from.at("version").get_to(settings.version);
  from.at("seed").get_to(how.seed);
  from.at("seconds").get_to(how.seconds);
  from.at("memory_mib").get_to(how.memory_mib);
  from.at("backend").get_to(how.backend);
  from.at("jobs").get_to(settings.jobs);
  how.unpacker = from.at("unpacker").get<std::string>();
  from.at("course").get_to(settings.course);
  return settings;
}

std::string to_text(const Manifest& manifest) {
  json puzzles = json::array(), students = json::array(), answers = json::array();
  for (const Wanted& each : manifest.settings.puzzles)
    puzzles.push_back({each.id, each.file_name, each.weight, each.hidden, each.cases});
  for (const Student& each : manifest.settings.students) students.push_back({each.id, each.name});
  for (const ManifestAnswer& each : manifest.answers)
    answers.push_back({each.pick.student, each.pick.puzzle, each.digest, each.before, each.queued});
  return json_text(json{{"how", how_to_json(manifest.settings)},
                        {"trusted", manifest.trusted},
                        {"chunk", manifest.chunk},
                        {"puzzles", puzzles},
                        {"students", students},
                        {"answers", answers}}) +
         "\n";
}

// Throws nlohmann's exceptions where something is of another type or not there.
Manifest from_json(const json& from) {
  Manifest manifest;
  BatchSettings& settings = manifest.settings;
  settings = how_from_json(from.at("how"));
  from.at("trusted").get_to(manifest.trusted);
  manifest.chunk = std::max<std::size_t>(1, from.at("chunk").get<std::size_t>());
  for (const json& each : from.at("puzzles"))
    settings.puzzles.push_back({each.at(0), each.at(1), each.at(2), each.at(3), each.at(4)});
  for (const json& each : from.at("students")) settings.students.push_back({each.at(0), each.at(1)});
  for (const json& each : from.at("answers")) {
    ManifestAnswer answer{{each.at(0), each.at(1)}, each.at(2), each.at(3), each.at(4)};
    // An element that is not there is an exception too.
    static_cast<void>(settings.students.at(answer.pick.student));
    static_cast<void>(settings.puzzles.at(answer.pick.puzzle));
    manifest.answers.push_back(std::move(answer));
  }
  return manifest;
}

bool once_more(Rerun rerun, const Row& row) {
  return rerun == Rerun::all || (rerun == Rerun::failed && row.verdict != Verdict::pass);
}

std::string hash_of(const Row& row) { return sha256_hex(to_json(row)); }

}  // namespace

std::size_t Manifest::queued() const {
  return static_cast<std::size_t>(
      std::count_if(answers.begin(), answers.end(), [](const ManifestAnswer& each) { return each.queued; }));
}

std::size_t usual_chunk(std::size_t queued) {
  return std::max(kUsualChunk, (queued + kMaxTasks - 1) / kMaxTasks);
}

Manifest make_manifest(const BatchSettings& settings, const RowStore& store) {
  Manifest manifest;
  manifest.settings = settings;
  for (const Pick pick : all_answers(settings)) {
    const Handed handed = handed_in(settings, pick);
    ManifestAnswer answer{pick, digest_of(handed), "", false};
    const Found found = find_row(manifest, answer, store);
    if (found.standing == Standing::done && handed.text && once_more(settings.rerun, *found.row))
      answer.before = hash_of(*found.row);
    answer.queued = found.standing != Standing::done || !answer.before.empty();
    manifest.answers.push_back(std::move(answer));
  }
  manifest.chunk = usual_chunk(manifest.queued());
  return manifest;
}

std::optional<Error> write_manifest(const fs::path& file, Manifest& manifest) {
  const std::string text = to_text(manifest);
  manifest.id = id_of(text);
  return write_for_good(file, text, 0600);
}

Result<Manifest> read_manifest(const fs::path& file) {
  const auto text = read_file(file);
  if (!text)
    return Error{ErrorKind::missing_part, text.error().what,
                 "`grader class ... --slurm` writes it; OUT is that command's --out"};
  const Error damaged{ErrorKind::missing_part, file.string() + " is damaged",
                      "the same `grader class ... --slurm` makes it anew; rows that stand are kept"};
  const json from = parse_json(*text);
  if (from.is_discarded()) return damaged;
  try {
    Manifest manifest = from_json(from);
    manifest.id = id_of(*text);
    return manifest;
  } catch (const std::exception&) {
    return damaged;
  }
}

const char* to_string(Standing standing) {
  switch (standing) {
    case Standing::done:
      return "graded";
    case Standing::infra:
      return "INFRA_ERROR";
    case Standing::again:
      return "not graded again yet";
    case Standing::outdated:
      return "its row is of another file or version";
    case Standing::missing:
      break;
  }
  return "not graded yet";
}

Found find_row(const Manifest& manifest, const ManifestAnswer& answer, const RowStore& store) {
  const BatchSettings& settings = manifest.settings;
  const Wanted& puzzle = settings.puzzles[answer.pick.puzzle];
  Found found{Standing::missing, store.find(settings.students[answer.pick.student].id, puzzle.id)};
  if (!found.row) return found;
  const Row& row = *found.row;
  // Machines may confine in different ways: each row says in which.
  if (row.key != row_key(settings, row.tier, puzzle, answer.digest) ||
      (row.tier == kTrustedTier && !manifest.trusted))
    found.standing = Standing::outdated;
  else if (row.verdict == Verdict::infra_error)
    found.standing = Standing::infra;
  else
    found.standing =
        !answer.before.empty() && answer.before == hash_of(row) ? Standing::again : Standing::done;
  return found;
}

std::vector<Pick> left_of_task(const Manifest& manifest, std::size_t task, const RowStore& store) {
  std::vector<Pick> left;
  std::size_t number = 0;
  for (const ManifestAnswer& answer : manifest.answers) {
    if (!answer.queued || number++ / manifest.chunk != task) continue;
    if (find_row(manifest, answer, store).standing != Standing::done) left.push_back(answer.pick);
  }
  return left;
}

Collected collect(const Manifest& manifest, const RowStore& store) {
  Collected collected;
  const BatchSettings& settings = manifest.settings;
  collected.results = without_rows(settings);
  for (const ManifestAnswer& answer : manifest.answers) {
    Found found = find_row(manifest, answer, store);
    if (found.standing != Standing::done)
      collected.left.push_back({settings.students[answer.pick.student].id,
                                settings.puzzles[answer.pick.puzzle].id, found.standing});
    if (found.row && found.standing != Standing::outdated) collected.results.add(std::move(*found.row));
  }
  return collected;
}

}  // namespace fusebox::classroom
