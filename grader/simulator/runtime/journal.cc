#include "grader/simulator/runtime/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string_view>

#include "grader/report/json/json.h"

namespace fusebox::sim {
namespace {

constexpr char kLaunch = 'L', kProblem = 'P', kNote = 'N', kCopy = 'C', kRepeated = 'R', kUncounted = 'U',
               kLibrary = 'B';

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
}

/// Sorts by start: seconds and nanoseconds in fixed width, then the process.
std::string file_name() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  char name[64];
  std::snprintf(name, sizeof name, "%012lld.%09ld.%d", static_cast<long long>(now.tv_sec), now.tv_nsec,
                static_cast<int>(getpid()));
  return name;
}

}  // namespace

JournalWriter::JournalWriter(const std::filesystem::path& folder) {
  if (!folder.empty())
    file_ = open((folder / file_name()).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

JournalWriter::~JournalWriter() {
  if (file_ >= 0) close(file_);
}

void JournalWriter::line(char kind, const std::string& text) {
  if (file_ < 0) return;
  std::string line = kind + text + '\n';
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t written = write(file_, line.data() + done, line.size() - done);
    if (written <= 0) return;  // a full disk: the reader sees a line that breaks off
    done += static_cast<std::size_t>(written);
  }
}

void JournalWriter::launch(std::uint64_t number, const LaunchRecord& record) {
  line(kLaunch, std::to_string(number) + " " + launch_to_json(record));
}
void JournalWriter::repeated(std::uint64_t like) { line(kRepeated, std::to_string(like)); }
void JournalWriter::library_call(const std::string& function) { line(kLibrary, function); }
void JournalWriter::uncounted(const std::string& kernel) { line(kUncounted, kernel); }
void JournalWriter::problem(const std::string& text) { line(kProblem, text); }
void JournalWriter::problem_at_a_crash(const char* text) const {
  if (file_ < 0) return;
  const char kind = kProblem;
  (void)!write(file_, &kind, 1);
  (void)!write(file_, text, std::strlen(text));
  (void)!write(file_, "\n", 1);
}
void JournalWriter::note(const std::string& text) { line(kNote, text); }

void JournalWriter::copied_back(const void* bytes, std::uint64_t count) {
  // FNV-1a over words, because copies are long.
  std::uint64_t hash = 14695981039346656037ull, done = 0, word = 0;
  const auto* at = static_cast<const unsigned char*>(bytes);
  const auto mix = [&] { hash = (hash ^ word) * 1099511628211ull, hash ^= hash >> 29; };
  for (; done + sizeof word <= count; done += sizeof word) std::memcpy(&word, at + done, sizeof word), mix();
  for (; done < count; ++done) word = at[done], mix();
  line(kCopy, std::to_string(count) + " " + std::to_string(hash));
}

Result<Journal> read_journal(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) files.push_back(entry.path());
  if (error)
    return Error{ErrorKind::internal,
                 "the program's journal " + folder.string() + " is gone: " + error.message(),
                 "see that nothing empties the folder for temporary files meanwhile"};
  std::sort(files.begin(), files.end());
  Journal journal;
  journal.started = !files.empty();
  for (const std::filesystem::path& file : files) {
    std::ifstream lines(file);
    std::map<std::uint64_t, std::size_t> by_number;  // of this process
    for (std::string line; std::getline(lines, line);) {
      if (line.empty()) continue;
      const std::string text = line.substr(1);
      if (line[0] == kProblem) add_once(journal.problems, text);
      if (line[0] == kNote) add_once(journal.notes, text);
      if (line[0] == kCopy) journal.copies.push_back(text);
      if (line[0] == kLibrary) ++journal.library_calls[text];
      if (line[0] == kUncounted) ++journal.uncounted[text];
      if (line[0] != kLaunch && line[0] != kRepeated) continue;
      std::uint64_t number = 0;
      const char* const behind = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
      if (line[0] == kRepeated) {
        if (const auto like = by_number.find(number); like != by_number.end())
          ++journal.launches[like->second].repeated;
        continue;
      }
      Result<LaunchRecord> launch = launch_from_json(std::string_view(behind, text.data() + text.size()));
      if (launch) {
        by_number[number] = journal.launches.size();
        journal.launches.push_back({std::move(*launch), number});
      } else {
        add_once(journal.problems,
                 "the record of a launch is damaged: the program, or a full disk, cut it off");
      }
    }
  }
  return journal;
}

}  // namespace fusebox::sim
