// Runs LLVMFuzzerTestOneInput on a corpus and on changes of it, for a given time. A stand-in for libFuzzer
// that any compiler builds: the inputs that come of a seed are always the same, so that a failure repeats.
//
//   fuzz_ptx [--seconds 60] [--seed 1] [--limit 10] [--failures FOLDER] FILE-OR-FOLDER...
//
// Without --seconds every file is run once, which replays a failure. An input that ends the process, or that
// takes longer than --limit seconds, is left in --failures (here, by default) as `failure-SEED-RUN`.

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "grader/fuzz/novelty.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// Read by the sanitizers, when they are there: what they find ends in SIGABRT, and the handler here leaves
// the input.
extern "C" const char* __asan_default_options() {
  return "abort_on_error=1:handle_abort=0:max_allocation_size_mb=4096";
}
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

namespace {

namespace fs = std::filesystem;
using Bytes = std::string;

constexpr std::size_t kLongestInput = 64 << 10;
constexpr std::size_t kMaxKept = 4000;

// What the handlers of a failure read: they may not allocate.
const Bytes* running = nullptr;
char failure_path[4096];
unsigned limit_seconds = 10;

std::unordered_set<std::uint64_t> seen;
bool new_ground = false;

void leave_input() {
  if (running == nullptr) return;
  const int file = open(failure_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  const ssize_t written = write(file, running->data(), running->size());
  close(file);
  static const char kSaid[] = "fuzz: the input was left in ";
  if (written < 0 || write(2, kSaid, sizeof kSaid - 1) < 0 ||
      write(2, failure_path, std::strlen(failure_path)) < 0 || write(2, "\n", 1) < 0)
    return;
  running = nullptr;
}

void on_signal(int number) {
  static const char kSlow[] = "fuzz: an input takes too long\n";
  if (number == SIGALRM && write(2, kSlow, sizeof kSlow - 1) < 0) _exit(1);
  leave_input();
  _exit(1);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t draw() {  // SplitMix64: the same on every machine
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t count) { return count < 2 ? 0 : static_cast<std::size_t>(draw() % count); }

 private:
  std::uint64_t state_;
};

/// A stretch of text that changes happen to: a line, a word, or a few bytes.
struct Stretch {
  std::size_t at = 0, length = 0;
};

Stretch pick_stretch(const Bytes& input, Random& random) {
  if (input.empty()) return {};
  std::size_t begin = random.below(input.size()), end = begin + 1;
  const auto is_word = [&](std::size_t i) {
    return std::isalnum(static_cast<unsigned char>(input[i])) != 0 ||
           std::strchr("_%.$", input[i]) != nullptr;
  };
  switch (random.below(4)) {
    case 0:  // bytes
      end = std::min(input.size(), begin + 1 + random.below(16));
      break;
    case 1:  // a line
      while (begin > 0 && input[begin - 1] != '\n') --begin;
      while (end < input.size() && input[end - 1] != '\n') ++end;
      break;
    default:  // a word
      while (begin > 0 && is_word(begin - 1)) --begin;
      while (end < input.size() && is_word(end)) ++end;
  }
  return {begin, end - begin};
}

Bytes awkward_number(Random& random) {
  static const char* const kNumbers[] = {"0",
                                         "-1",
                                         "1",
                                         "31",
                                         "32",
                                         "255",
                                         "4294967295",
                                         "4294967296",
                                         "2147483648",
                                         "-2147483648",
                                         "1048577",
                                         "18446744073709551615",
                                         "99999999999999999999999"};
  return kNumbers[random.below(std::size(kNumbers))];
}

void change(Bytes& input, const std::vector<Bytes>& corpus, Random& random) {
  const Stretch here = pick_stretch(input, random);
  switch (random.below(9)) {
    case 0:  // one bit
      if (!input.empty()) input[here.at] = static_cast<char>(input[here.at] ^ (1 << random.below(8)));
      break;
    case 1:  // an integer of 1 to 8 bytes at the edge of its range, as binary formats hold them
      for (std::size_t i = 0, n = std::size_t{1} << random.below(4), kind = random.below(4);
           i < n && here.at + i < input.size(); ++i)
        input[here.at + i] = static_cast<char>(kind == 0   ? 0xff
                                               : kind == 1 ? 0
                                               : kind == 2 ? (i + 1 == n ? 0x7f : 0xff)
                                                           : random.below(256));
      break;
    case 2:
      input.replace(here.at, here.length, awkward_number(random));
      break;
    case 3:
      input.erase(here.at, here.length);
      break;
    case 4:  // again, a few times
      input.insert(here.at, [&] {
        Bytes copies;
        for (std::size_t n = 1 + random.below(4); n > 0; --n) copies += input.substr(here.at, here.length);
        return copies;
      }());
      break;
    case 5: {  // something of its own elsewhere
      const Stretch from = pick_stretch(input, random);
      const Bytes piece = input.substr(from.at, from.length);
      input.replace(here.at, random.below(2) == 0 ? here.length : 0, piece);
      break;
    }
    case 6:
    case 7: {  // something of another input
      const Bytes& other = corpus[random.below(corpus.size())];
      const Stretch from = pick_stretch(other, random);
      input.replace(here.at, random.below(2) == 0 ? here.length : 0, other, from.at, from.length);
      break;
    }
    default:  // cut off
      if (random.below(8) == 0) input.resize(here.at);
  }
  if (input.size() > kLongestInput) input.resize(kLongestInput);
}

void run(const Bytes& input, std::uint64_t seed, std::uint64_t number, const std::string& folder) {
  std::snprintf(failure_path, sizeof failure_path, "%s/failure-%llu-%llu", folder.c_str(),
                static_cast<unsigned long long>(seed), static_cast<unsigned long long>(number));
  running = &input;
  new_ground = false;
  alarm(limit_seconds);
  // A copy without room behind it, so that the sanitizer sees a read past the end.
  const std::vector<std::uint8_t> exact(input.begin(), input.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
  alarm(0);
  running = nullptr;
}

int usage() {
  std::fputs("usage: fuzz_... [--seconds N] [--seed N] [--limit N] [--failures FOLDER] FILE-OR-FOLDER...\n",
             stderr);
  return 2;
}

}  // namespace

namespace fusebox::fuzz {

void reached(std::string_view what) {
  // Only the words of ours: what stands in quotes and what is no plain word came out of the input.
  std::uint64_t hash = 14695981039346656037ull;
  bool quoted = false;
  for (std::size_t at = 0; at < what.size();) {
    const std::size_t end = std::min(what.find(' ', at), what.size());
    const std::string_view word = what.substr(at, end - at);
    at = end + 1;
    const auto quotes = std::count_if(word.begin(), word.end(), [](char c) { return c == '\'' || c == '`'; });
    const bool plain =
        quotes == 0 && !quoted && std::all_of(word.begin(), word.end(), [](char c) {
          return std::islower(static_cast<unsigned char>(c)) != 0 || c == '.' || c == ',' || c == ':';
        });
    if (quotes % 2 != 0) quoted = !quoted;
    if (!plain) continue;
    for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  }
  new_ground = seen.insert(hash).second || new_ground;
}

}  // namespace fusebox::fuzz

namespace {

struct Settings {
  double seconds = 0;
  std::uint64_t seed = 1;
  std::string failures = ".";
  std::vector<fs::path> files;  ///< in order of their names
};

/// The exit code where something is wrong with the words.
std::optional<int> read_words(int argc, char** argv, Settings& settings) {
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("--")) {
      if (++i >= argc) return usage();
      if (word == "--seconds")
        settings.seconds = std::atof(argv[i]);
      else if (word == "--seed")
        settings.seed = std::strtoull(argv[i], nullptr, 10);
      else if (word == "--limit")
        limit_seconds = static_cast<unsigned>(std::atoi(argv[i]));
      else if (word == "--failures")
        settings.failures = argv[i];
      else
        return usage();
    } else if (fs::is_directory(word)) {
      for (const auto& entry : fs::recursive_directory_iterator(word))
        if (entry.is_regular_file()) settings.files.push_back(entry.path());
    } else if (fs::exists(word)) {
      settings.files.emplace_back(word);
    } else {
      std::fprintf(stderr, "fuzz: there is no %s\n", word.c_str());
      return 2;
    }
  }
  std::sort(settings.files.begin(), settings.files.end());
  return std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  if (const auto code = read_words(argc, argv, settings)) return *code;
  std::vector<Bytes> corpus;
  for (const fs::path& file : settings.files) {
    std::ifstream in(file, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  if (corpus.empty()) return usage();  // a run that tries nothing is no pass

  for (const int number : {SIGALRM, SIGABRT}) signal(number, on_signal);
#ifndef FUSEBOX_SANITIZED  // which says more of these, and then aborts
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) signal(number, on_signal);
#endif

  std::uint64_t runs = 0;
  for (const Bytes& input : corpus) run(input, settings.seed, runs++, settings.failures);
  const std::size_t given = corpus.size();
  Random random(settings.seed);
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  while (passed() < settings.seconds) {
    // What led somewhere new is tried more often than what was given.
    const bool recent = corpus.size() > given && random.below(2) == 0;
    Bytes input = corpus[recent ? given + random.below(corpus.size() - given) : random.below(corpus.size())];
    for (std::size_t n = std::size_t{1} << random.below(5); n > 0; --n) change(input, corpus, random);
    run(input, settings.seed, runs++, settings.failures);
    if (new_ground && corpus.size() < kMaxKept) corpus.push_back(std::move(input));
  }
  std::printf("fuzz: %llu inputs, %zu of them led somewhere new, seed %llu, %.0f s\n",
              static_cast<unsigned long long>(runs), corpus.size() - given,
              static_cast<unsigned long long>(settings.seed), passed());
  return 0;
}
