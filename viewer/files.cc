#include "viewer/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>

#include "grader/report/json/json.h"

namespace fusebox::view {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxBytes = 512u << 20;  // far above any report

Result<std::string> text_of(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error))
    return Error{ErrorKind::wrong_usage, fmt::format("{}: there is no such file", path.string()),
                 "write one with: grader <puzzle> --json FILE"};
  if (!fs::is_regular_file(path, error))
    return Error{ErrorKind::wrong_usage, fmt::format("{} is not a file", path.string()),
                 "give a report's file"};
  if (fs::file_size(path, error) > kMaxBytes)
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

/// The parts of "p20_layernorm_linear".
struct Stem {
  std::string id, slug;
};

std::optional<Stem> stem_of(const std::string& name) {
  const std::size_t cut = name.find('_');
  if (cut == std::string::npos || cut < 2 || name[0] != 'p' ||
      !std::all_of(name.begin() + 1, name.begin() + static_cast<std::ptrdiff_t>(cut),
                   [](unsigned char c) { return std::isdigit(c); }))
    return std::nullopt;
  return Stem{name.substr(0, cut), name.substr(cut + 1)};
}

/// Every puzzle of the checkout: what has a recording, a text or a file, so that one that was made a minute
/// ago is among them. By id, the slug.
std::map<std::string, std::string> known_puzzles(const WorkspacePaths& paths) {
  std::map<std::string, std::string> known;
  const auto collect = [&](const fs::path& folder, const char* extension) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      if (it->path().extension() == extension)
        if (const auto stem = stem_of(it->path().stem().string())) known.emplace(stem->id, stem->slug);
  };
  collect(paths.recorded_reports(), ".json");
  if (paths.root.empty()) return known;
  collect(paths.texts(), "");
  collect(paths.puzzles(), ".cu");
  return known;
}

std::optional<Stem> puzzle_named(const WorkspacePaths& paths, const std::string& name) {
  for (const auto& [id, slug] : known_puzzles(paths))
    if (name == id || "p" + name == id || name == slug || name == id + "_" + slug) return Stem{id, slug};
  return std::nullopt;
}

fs::path recording_of(const WorkspacePaths& paths, const Stem& puzzle) {
  std::error_code error;
  const fs::path path = paths.recorded_reports() / (puzzle.id + "_" + puzzle.slug + ".json");
  return fs::is_regular_file(path, error) ? path : fs::path();
}

std::string lesson_of(const WorkspacePaths& paths, const Stem& puzzle) {
  if (paths.root.empty()) return {};
  std::ifstream file(paths.texts() / (puzzle.id + "_" + puzzle.slug) / "lesson.md", std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

/// The lesson's heading without the id; the slug when there is no lesson.
std::string title_of(const WorkspacePaths& paths, const Stem& puzzle) {
  const std::string lesson = lesson_of(paths, puzzle), head = "# " + puzzle.id + " ";
  if (!lesson.starts_with(head)) return spaced(puzzle.slug);
  return lesson.substr(head.size(), lesson.find_first_of("\r\n") - head.size());
}

/// A puzzle that was never graded, and of which nothing was recorded.
Book unseen(const WorkspacePaths& paths, const Stem& puzzle) {
  Book book;
  book.origin = Origin::unseen;
  Report& report = book.report;
  report.puzzle = puzzle.id, report.slug = puzzle.slug, report.title = title_of(paths, puzzle);
  report.file = "puzzles/" + puzzle.id + "_" + puzzle.slug + ".cu";
  report.verdict = Outcome::unsolved;
  report.lesson = lesson_of(paths, puzzle);
  if (const auto source = text_now(paths, report)) report.source = *source;
  return book;
}

}  // namespace

std::vector<PuzzleEntry> puzzles_in(const WorkspacePaths& paths) {
  std::vector<PuzzleEntry> puzzles;
  for (const auto& [id, slug] : known_puzzles(paths)) {
    PuzzleEntry puzzle{id, title_of(paths, {id, slug})};
    for (const AttemptFile& attempt : attempts_of(paths, id)) {
      puzzle.tried |= attempt.verdict != "unsolved";
      puzzle.solved |= attempt.verdict == "passed";
    }
    puzzles.push_back(std::move(puzzle));
  }
  return puzzles;
}

std::vector<AttemptFile> attempts_of(const WorkspacePaths& paths, const std::string& puzzle) {
  std::vector<AttemptFile> attempts;
  std::error_code error;
  for (fs::directory_iterator it(paths.attempts() / puzzle, error), end; !error && it != end;
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

Result<Book> open_puzzle(const WorkspacePaths& paths, const std::string& name) {
  const auto puzzle = puzzle_named(paths, name);
  std::string id = puzzle ? puzzle->id : name;
  if (!id.empty() && std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isdigit(c); }))
    id = "p" + id;
  Book book;
  std::optional<Error> unreadable;
  const auto attempts = attempts_of(paths, id);
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
  const fs::path recording = puzzle ? recording_of(paths, *puzzle) : fs::path();
  if (!recording.empty()) {
    auto report = read_report(recording);
    if (!report) return report.error();
    book.report = std::move(*report);
    book.path = recording.string();
    book.origin = Origin::recording;
    return book;
  }
  if (unreadable) return *unreadable;
  if (puzzle) return unseen(paths, *puzzle);
  std::string known;
  for (const PuzzleEntry& puzzle : puzzles_in(paths)) known += (known.empty() ? "" : ", ") + puzzle.id;
  return Error{ErrorKind::wrong_usage,
               fmt::format("there is no puzzle {} here, and nothing was graded under that name", name),
               known.empty() ? "./fusebox list shows what there is" : "there are " + known};
}

std::optional<FullSize> recorded_full_size(const WorkspacePaths& paths, const std::string& puzzle) {
  const auto known = puzzle_named(paths, puzzle);
  const fs::path path = known ? recording_of(paths, *known) : fs::path();
  if (path.empty()) return std::nullopt;
  auto report = read_report(path);
  if (!report || !has_full_size(*report)) return std::nullopt;
  for (FullSizeEntry& entry : report->full_size->entries) entry.student.reset();
  return std::move(report->full_size);
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

fs::path source_path(const WorkspacePaths& paths, const Report& report) {
  std::error_code error;
  // The file is named as it was typed, from a folder that may not be this one.
  const fs::path named(report.file);
  for (const fs::path& candidate : {named, paths.root / named, paths.puzzles() / named.filename()})
    if (!named.empty() && fs::is_regular_file(candidate, error)) return candidate;
  return {};
}

std::optional<std::string> text_now(const WorkspacePaths& paths, const Report& report) {
  const fs::path path = source_path(paths, report);
  if (path.empty()) return std::nullopt;
  const auto text = text_of(path);
  return text ? std::optional(*text) : std::nullopt;
}

}  // namespace fusebox::view
