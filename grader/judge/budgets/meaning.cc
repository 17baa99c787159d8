#include "grader/judge/budgets/meaning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "grader/judge/budgets/ledger.h"
#include "grader/judge/budgets/metrics.h"
#include "grader/report/text/format.h"

namespace fusebox {
namespace {

// What is nearer than that is the same.
constexpr double kSame = 1.05, kMore = 1.10;
// A file that moves and asks for hardly more than the reference is told of its time from here on: within it
// the model may be wrong.
constexpr double kSlower = 1.5;
// A launch that has fewer blocks than that waits for itself.
constexpr double kSmall = 0.5;
// Terms of the model that are nearer to each other than that: either may be what binds.
constexpr double kSure = 1.15;

/// A number and its unit, so that a second number of the same unit can go without.
struct Quantity {
  std::string number, unit;
  std::string text() const { return number + " " + unit; }
  std::string beside(const Quantity& other) const { return unit == other.unit ? number : text(); }
};

Quantity in_units(double value, const char* const* units) {
  while (value >= 999.5 && units[1] != nullptr) value /= 1000, ++units;
  return {value >= 9.95 || value == std::floor(value) ? fmt::format("{:.0f}", value)
                                                      : fmt::format("{:.1f}", value),
          *units};
}
Quantity megabytes(std::uint64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB", nullptr};
  return in_units(static_cast<double>(bytes), kUnits);
}
Quantity microseconds(double seconds) {
  static constexpr const char* kUnits[] = {"us", "ms", "s", nullptr};
  return in_units(1e6 * seconds, kUnits);
}

std::string percent(double share) {
  return share < 0.01 ? "less than 1 %" : fmt::format("{:.0f} %", 100 * share);
}

std::string times(double ratio) {
  static constexpr const char* kWords[] = {"", "once", "twice", "three times", "four times", "five times"};
  const double whole = std::round(ratio);
  if (std::abs(ratio - whole) < 0.05 && whole >= 1 && whole <= 5) return kWords[static_cast<int>(whole)];
  return ratio < 10 && std::abs(ratio - whole) >= 0.05 ? fmt::format("{:.1f} times", ratio)
                                                       : fmt::format("{:.0f} times", ratio);
}

/// How long the term `name` of the longest launch is; 0: there is none.
double seconds_of(const FullSizeRun& run, const std::string& name) {
  const LaunchModel* longest = nullptr;
  for (const LaunchRecord& launch : run.launches)
    if (launch.model && (longest == nullptr || launch.model->seconds > longest->seconds))
      longest = &*launch.model;
  if (longest == nullptr) return 0;
  for (const ModelTerm& term : longest->terms)
    if (term.name == name) return term.seconds;
  return 0;
}

/// "bound by DRAM", or what stands for it where the launch does not fill the GPU, or where two are as likely.
std::string bound(const FullSizeRun& run) {
  if (run.fills < kSmall && run.bound_by == "latency")
    return fmt::format("bound by latency, for it fills {} of the GPU", percent(run.fills));
  const double first = seconds_of(run, run.bound_by), second = seconds_of(run, run.next);
  if (second > 0 && first < kSure * second) return fmt::format("bound by {} or {}", run.bound_by, run.next);
  return "bound by " + run.bound_by;
}

/// In front of what a run moves through DRAM. The model runs blocks one after the other: the sectors of a
/// line that one request leaves unused are still cached when the next one asks for them. On a GPU other
/// blocks may have evicted them by then, so that with many such requests the model's bytes are a lower bound.
const char* at_least(const FullSizeRun& run) {
  constexpr double kApart = 1.25;
  return sectors_over_ideal(run.launches).value_or(1) > kApart ? "at least " : "";
}

std::uint64_t l2_bytes(const FullSizeRun& run) {
  std::uint64_t sum = 0;
  for (const LaunchRecord& launch : run.launches) sum += launch.model ? launch.model->l2_bytes : 0;
  return sum;
}

std::uint64_t instructions(const FullSizeRun& run) {
  std::uint64_t sum = 0;
  for (const LaunchRecord& launch : run.launches) sum += launch.counters.warp_instructions;
  return sum;
}

std::uint64_t wavefronts(const FullSizeRun& run) {
  std::uint64_t sum = 0;
  for (const LaunchRecord& launch : run.launches) {
    const Counters& c = launch.counters;
    sum += c.shared_load.wavefronts + c.shared_store.wavefronts + c.global_load.lines + c.global_store.lines;
  }
  return sum;
}

bool more(double a, double b) { return a > kMore * b; }

/// By what `run` loses against `other`: the quantity behind the term that binds it, where that is the larger;
/// else the largest there is.
std::string loses_by(const FullSizeRun& run, const FullSizeRun& other) {
  const auto larger = [](std::uint64_t mine, std::uint64_t theirs) {
    return more(static_cast<double>(mine), static_cast<double>(theirs));
  };
  const auto bytes = [&](const char* verb, std::uint64_t mine, std::uint64_t theirs) {
    const Quantity a = megabytes(mine), b = megabytes(theirs);
    return fmt::format("{} {} instead of {}", verb, a.text(), b.beside(a));
  };
  const auto ratio = [&](const char* verb, std::uint64_t mine, std::uint64_t theirs, const char* what) {
    return fmt::format(
        "{} {} {}", verb,
        times(static_cast<double>(mine) / static_cast<double>(std::max<std::uint64_t>(theirs, 1))), what);
  };
  const bool asks_more = larger(run.requested_bytes, other.requested_bytes);
  if (run.bound_by == "DRAM" && larger(run.dram_bytes(), other.dram_bytes())) return "that is what binds it";
  if (run.bound_by == "issue" && larger(instructions(run), instructions(other)))
    return ratio("issues", instructions(run), instructions(other), "the instructions") +
           (asks_more ? " and " + bytes("requests", run.requested_bytes, other.requested_bytes) : "");
  if (run.bound_by == "L2" && larger(l2_bytes(run), l2_bytes(other)))
    return bytes("asks L2 for", l2_bytes(run), l2_bytes(other));
  if (asks_more) return bytes("requests", run.requested_bytes, other.requested_bytes);
  if (larger(wavefronts(run), wavefronts(other)))
    return ratio("makes", wavefronts(run), wavefronts(other), "the trips to cache and shared memory");
  if (larger(instructions(run), instructions(other)))
    return ratio("issues", instructions(run), instructions(other), "the instructions");
  return "fewer of its warps wait at a time";
}

bool usable(const std::optional<FullSizeRun>& run) { return run && run->problem.empty() && run->seconds > 0; }

/// The learner's run where there is one, else the reference's.
const FullSizeRun* best(const FullSizeEntry& entry) {
  if (usable(entry.student)) return &*entry.student;
  return usable(entry.reference) ? &*entry.reference : nullptr;
}

std::string compared(const FullSize& full, const FullSizeEntry& first, const FullSizeEntry& last) {
  const FullSizeRun &before = *best(first), &after = *best(last);
  const bool borrowed = !usable(first.student) && usable(last.student);
  const std::string name = borrowed ? fmt::format("the reference's {}", first.entry) : first.entry;
  const std::string subject =
      usable(last.student) ? last.entry : fmt::format("the reference's {}", last.entry);
  const Quantity moved = megabytes(after.dram_bytes()), instead = megabytes(before.dram_bytes());
  const Quantity took = microseconds(after.seconds), against = microseconds(before.seconds);
  if (after.seconds <= before.seconds * kSame && before.seconds > after.seconds)
    return fmt::format("{} moves {}{} through DRAM where {} moves {}{}; modelled on {} {} against {}, {}.",
                       capitalised(subject), at_least(after), moved.text(), name, at_least(before),
                       instead.beside(moved), with_article(full.gpu_name), took.text(), against.beside(took),
                       bound(after));
  return fmt::format(
      "{} takes {} where {} takes {} (modelled on {}): it moves {}{} through DRAM instead of {}{}, but {}, and is {}.",
      capitalised(subject), took.text(), name, against.beside(took), with_article(full.gpu_name),
      at_least(after), moved.text(), at_least(before), instead.beside(moved), loses_by(after, before),
      bound(after));
}

/// The tensor with the most bytes beyond those of the reference, and how often both pass over it.
struct Excess {
  std::string tensor, verb;
  double passes = 0, of_reference = 0;
  std::uint64_t bytes = 0;
};
Excess worst(const FullSizeRun& mine, const FullSizeRun& theirs, bool requested) {
  const auto reference = ledger_of(theirs.launches);
  Excess worst;
  for (const TensorTraffic& tensor : ledger_of(mine.launches)) {
    TensorTraffic other;
    for (const TensorTraffic& each : reference)
      if (each.tensor == tensor.tensor) other = each;
    const auto consider = [&](std::uint64_t TensorTraffic::*field, const char* verb) {
      const std::uint64_t here = tensor.*field, there = other.*field;
      if (here <= there || here - there <= worst.bytes || tensor.buffer_bytes == 0) return;
      const auto buffer = static_cast<double>(tensor.buffer_bytes);
      worst = {tensor.tensor, verb, static_cast<double>(here) / buffer, static_cast<double>(there) / buffer,
               here - there};
    };
    consider(requested ? &TensorTraffic::requested_read : &TensorTraffic::compulsory_read,
             requested ? "asks for" : "reads");
    consider(requested ? &TensorTraffic::requested_write : &TensorTraffic::compulsory_write, "writes");
  }
  return worst;
}

/// Of a file that takes longer than the reference though it moves and asks for hardly more; empty: it does
/// not.
std::string slower(const FullSize& full, const std::string& whose, const FullSizeRun& mine,
                   const FullSizeRun& theirs) {
  if (mine.seconds <= kSlower * theirs.seconds) return "";
  const Quantity took = microseconds(mine.seconds), against = microseconds(theirs.seconds),
                 moved = megabytes(mine.dram_bytes());
  return capitalised(fmt::format(
      "{} moves {}{} through DRAM where the reference moves {}, and takes {} where that takes {} (modelled on {}): {}, and it is {}.",
      whose, at_least(mine), moved.text(), megabytes(theirs.dram_bytes()).beside(moved), took.text(),
      against.beside(took), with_article(full.gpu_name), loses_by(mine, theirs), bound(mine)));
}

/// Of a file that moves, asks for or takes more than the reference; empty: it does not.
std::string over_reference(const FullSize& full, const FullSizeEntry& entry) {
  if (!usable(entry.student) || !usable(entry.reference)) return "";
  const FullSizeRun &mine = *entry.student, &theirs = *entry.reference;
  const bool dram = more(static_cast<double>(mine.dram_bytes()), static_cast<double>(theirs.dram_bytes()));
  const bool asked =
      more(static_cast<double>(mine.requested_bytes), static_cast<double>(theirs.requested_bytes));
  const std::string whose = full.entries.size() > 1 ? "your " + entry.entry : "your kernel";
  if (!dram && !asked) return slower(full, whose, mine, theirs);
  const Excess excess = worst(mine, theirs, !dram);
  const std::string passes =
      excess.bytes == 0
          ? ""
          : fmt::format("{} {} {}, the reference {}: ", excess.verb, excess.tensor, times(excess.passes),
                        excess.of_reference > 0 ? times(excess.of_reference) : "never");
  const Quantity took = microseconds(mine.seconds), against = microseconds(theirs.seconds);
  const Quantity moved = megabytes(dram ? mine.dram_bytes() : mine.requested_bytes),
                 least = megabytes(dram ? full.min_bytes : theirs.requested_bytes);
  const std::string beside = dram ? fmt::format("through DRAM where {} are compulsory", least.beside(moved))
                                  : fmt::format("requested where {} are enough", least.beside(moved));
  return capitalised(fmt::format("{} {}{}{} {}; modelled {} against {}.", whose, passes,
                                 dram ? at_least(mine) : "", moved.text(), beside, took.text(),
                                 against.beside(took)));
}

std::string alone(const FullSize& full, const FullSizeEntry& entry) {
  const FullSizeRun* run = best(entry);
  if (run == nullptr) return "";
  const Quantity moved = megabytes(run->dram_bytes()), least = megabytes(full.min_bytes);
  const std::string whose = usable(entry.student) ? "Your kernel" : "The reference";
  std::string text = fmt::format("{} moves {}{} through DRAM where {} are compulsory; modelled on {} {}, {}",
                                 whose, at_least(*run), moved.text(), least.beside(moved),
                                 with_article(full.gpu_name), microseconds(run->seconds).text(), bound(*run));
  return text + ".";
}

}  // namespace

std::string with_article(std::string gpu) {
  constexpr std::string_view kMaker = "NVIDIA ";
  if (gpu.starts_with(kMaker)) gpu.erase(0, kMaker.size());
  constexpr std::string_view kVowels = "AEFHILMNORSX";  // as letters are read out
  return (!gpu.empty() && kVowels.find(gpu[0]) != std::string_view::npos ? "an " : "a ") + gpu;
}

std::string meaning_of(const FullSize& full) {
  if (full.entries.empty()) return "";
  const FullSizeEntry &first = full.entries.front(), &last = full.entries.back();
  std::string text, over;
  for (const FullSizeEntry& entry : full.entries)
    if (over.empty()) over = over_reference(full, entry);
  if (full.entries.size() > 1 && best(first) && best(last)) text = compared(full, first, last);
  if (full.entries.size() == 1 && over.empty()) text = alone(full, last);
  if (!text.empty() && !over.empty()) text += " ";
  return text + over;
}

std::string meaning_of_counted(const Report& report, int sms) {
  const LaunchRecord* longest = nullptr;
  std::string shape;
  for (const EntryReport& entry : report.entries) {
    const auto& side = entry.student ? entry.student : entry.reference;
    if (!side) continue;
    shape = side->counted_case;
    for (const LaunchRecord& launch : side->launches)
      if (launch.model && (longest == nullptr || launch.model->seconds > longest->model->seconds))
        longest = &launch;
  }
  if (longest == nullptr || longest->model->bound_by != "latency") return "";
  const double share = share_of_gpu(*longest, sms);
  if (share >= kSmall) return "";
  return fmt::format("The counted case ({}) fills {} of the GPU: its time is latency, not bytes.", shape,
                     percent(share));
}

}  // namespace fusebox
