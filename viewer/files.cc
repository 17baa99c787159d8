#include "viewer/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <map>
#include <system_error>

#include "grader/report/json.h"

namespace fusebox::view {
namespace {

namespace fs = std::filesystem;

bool is_root(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / "puzzles", error) && fs::is_directory(folder / "assets", error);
}

fs::path upwards_from(fs::path folder) {
  for (;; folder = folder.parent_path()) {
    if (is_root(folder)) return folder;
    if (folder == folder.parent_path()) return {};
  }
}

constexpr std::uintmax_t kMostBytes = 512u << 20;  // far above any report

Result<std::string> text_of(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error))
    return Error{ErrorKind::wrong_usage, fmt::format("{}: there is no such file", path.string()),
                 "write one with: grader <puzzle> --json FILE"};
  if (!fs::is_regular_file(path, error))
    return Error{ErrorKind::wrong_usage, fmt::format("{} is not a file", path.string()),
                 "give a report's file"};
  if (fs::file_size(path, error) > kMostBytes)
    return Error{ErrorKind::wrong_usage, fmt::format("{} is larger than any report", path.string()),
                 "give a report's file"};
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (!file) return Error{ErrorKind::missing_part, fmt::format("{} cannot be read", path.string()), ""};
  return text;
}

std::string spaced(std::string slug) {
  std::replace(slug.begin(), slug.end(), '_', ' ');
  return slug;
}

std::optional<fs::path> recording_of(const Places& places, const std::string& name) {
  std::error_code error;
  for (fs::directory_iterator it(places.recordings, error), end; !error && it != end; it.increment(error)) {
    const std::string stem = it->path().stem().string();
    const std::size_t cut = stem.find('_');
    if (it->path().extension() != ".json" || cut == std::string::npos) continue;
    const std::string id = stem.substr(0, cut);
    if (name == id || "p" + name == id || name == stem.substr(cut + 1) || name == stem) return it->path();
  }
  return std::nullopt;
}

}  // namespace

Places find_places(const char* argv0) {
  std::error_code error;
  fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) program = fs::absolute(argv0, error);
  Places places;
  const char* given = std::getenv("FUSEBOX_ROOT");
  if (given && is_root(given)) places.root = given;
  if (places.root.empty()) places.root = upwards_from(program.parent_path());
  if (places.root.empty()) places.root = upwards_from(fs::current_path(error));
  if (!places.root.empty()) places.recordings = places.root / "assets" / "recorded" / "reports";
  places.attempts = program.parent_path().parent_path() / "reports";
  places.grader = program.parent_path() / "grader";
  return places;
}

std::vector<PuzzleEntry> puzzles_in(const Places& places) {
  std::map<std::string, PuzzleEntry> found;
  std::error_code error;
  for (fs::directory_iterator it(places.recordings, error), end; !error && it != end; it.increment(error)) {
    const std::string stem = it->path().stem().string();
    const std::size_t cut = stem.find('_');
    if (it->path().extension() != ".json" || cut == std::string::npos) continue;
    found[stem.substr(0, cut)] = {stem.substr(0, cut), spaced(stem.substr(cut + 1))};
  }
  std::vector<PuzzleEntry> puzzles;
  for (auto& [id, puzzle] : found) {
    for (const AttemptFile& attempt : attempts_of(places, id)) {
      puzzle.tried |= attempt.verdict != "unsolved";
      puzzle.solved |= attempt.verdict == "passed";
    }
    puzzles.push_back(std::move(puzzle));
  }
  return puzzles;
}

std::vector<AttemptFile> attempts_of(const Places& places, const std::string& puzzle) {
  std::vector<AttemptFile> attempts;
  std::error_code error;
  for (fs::directory_iterator it(places.attempts / puzzle, error), end; !error && it != end;
       it.increment(error)) {
    const std::string stem = it->path().stem().string();
    const std::size_t cut = stem.find('-');
    AttemptFile attempt;
    attempt.path = it->path();
    if (it->path().extension() != ".json" || cut == std::string::npos) continue;
    const auto [stop, bad] = std::from_chars(stem.data(), stem.data() + cut, attempt.milliseconds);
    if (bad != std::errc() || stop != stem.data() + cut) continue;
    attempt.verdict = stem.substr(cut + 1);
    attempts.push_back(std::move(attempt));
  }
  std::sort(attempts.begin(), attempts.end(),
            [](const auto& a, const auto& b) { return a.milliseconds < b.milliseconds; });
  return attempts;
}

Result<Report> read_report(const fs::path& path) {
  const auto text = text_of(path);
  if (!text) return text.error();
  auto report = report_from_json(*text);
  if (!report)
    return Error{report.error().kind, fmt::format("{}: {}", path.string(), report.error().what),
                 report.error().remedy};
  return report;
}

Result<Book> open_puzzle(const Places& places, const std::string& name) {
  const auto recording = recording_of(places, name);
  std::string id =
      recording ? recording->stem().string().substr(0, recording->stem().string().find('_')) : name;
  if (!id.empty() && std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isdigit(c); }))
    id = "p" + id;
  Book book;
  std::optional<Error> unreadable;
  const auto attempts = attempts_of(places, id);
  for (auto attempt = attempts.rbegin(); attempt != attempts.rend(); ++attempt) {
    auto report = read_report(attempt->path);
    if (!report) {
      // One that was damaged does not lock the others away.
      if (!unreadable) unreadable = report.error();
      continue;
    }
    if (book.path.empty()) {
      book.report = std::move(*report);
      book.path = attempt->path.string();
      book.origin = Origin::attempt;
    } else {
      book.before = std::move(*report);
      return book;
    }
  }
  if (!book.path.empty()) return book;
  if (recording) {
    auto report = read_report(*recording);
    if (!report) return report.error();
    book.report = std::move(*report);
    book.path = recording->string();
    book.origin = Origin::recording;
    return book;
  }
  if (unreadable) return *unreadable;
  std::string known;
  for (const PuzzleEntry& puzzle : puzzles_in(places)) known += (known.empty() ? "" : ", ") + puzzle.id;
  return Error{ErrorKind::wrong_usage,
               fmt::format("{} was never graded here, and no recording of it comes with this version", name),
               known.empty()
                   ? fmt::format("grade it first: ./fusebox grade {}", name)
                   : fmt::format("grade it first: ./fusebox grade {}; recorded are {}", name, known)};
}

Result<Book> open_files(const std::string& student, const std::string& reference) {
  Book book;
  auto report = read_report(student.empty() ? reference : student);
  if (!report) return report.error();
  book.report = std::move(*report);
  book.path = student.empty() ? reference : student;
  if (!student.empty() && !reference.empty()) {
    auto other = read_report(reference);
    if (!other) return other.error();
    book.other = std::move(*other);
  }
  return book;
}

fs::path source_path(const Places& places, const Report& report) {
  std::error_code error;
  // The file is named as it was typed, from a folder that may not be this one.
  const fs::path named(report.file);
  for (const fs::path& candidate : {named, places.root / named, places.root / "puzzles" / named.filename()})
    if (!named.empty() && fs::is_regular_file(candidate, error)) return candidate;
  return {};
}

std::optional<std::string> text_now(const Places& places, const Report& report) {
  const fs::path path = source_path(places, report);
  if (path.empty()) return std::nullopt;
  const auto text = text_of(path);
  return text ? std::optional(*text) : std::nullopt;
}

}  // namespace fusebox::view
