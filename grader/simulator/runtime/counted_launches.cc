#include "grader/simulator/runtime/counted_launches.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace fusebox::sim {
namespace {

/// So many of a kind are counted: the first finds cold caches, the second shows whether that mattered.
constexpr std::uint64_t kCountedAlike = 3;
/// A program whose launches all differ is remembered up to here.
constexpr std::size_t kMaxKinds = 20'000;

std::string without_template_arguments(const std::string& kernel) {
  std::string name;
  int depth = 0;
  for (const char c : kernel) {
    if (c == '<') ++depth;
    if (depth == 0) name += c;
    if (c == '>') --depth;
  }
  return name;
}

}  // namespace

std::string kind_of(const LaunchOp& op) {
  std::string key = op.kernel;
  key += '\0';
  for (const Dim3& dim : {op.grid, op.block, op.cluster})
    for (const std::uint32_t extent : {dim.x, dim.y, dim.z}) key += std::to_string(extent) + ' ';
  key += std::to_string(op.dynamic_shared_bytes) + (op.cooperative ? " together " : " ");
  key.append(reinterpret_cast<const char*>(op.arguments.data()), op.arguments.size());
  return key;
}

bool is_kernel_named(const std::string& kernel, const std::string& name) {
  const std::string plain = without_template_arguments(kernel);
  const std::size_t colons = plain.rfind("::");
  return kernel == name || plain == name || (colons != plain.npos && plain.substr(colons + 2) == name);
}

Result<LaunchChoice> read_launch_range(const std::string& text) {
  const Error wrong{ErrorKind::wrong_usage, "`" + text + "` is no range of launches",
                    "--launches 5-7, or 5 alone, or 5- for all from there on; the first launch is 1"};
  LaunchChoice choice;
  const char *at = text.data(), *const end = at + text.size();
  const auto first = std::from_chars(at, end, choice.first);
  if (first.ec != std::errc() || choice.first == 0) return wrong;
  if (first.ptr == end) {
    choice.last = choice.first;
    return choice;
  }
  if (*first.ptr != '-') return wrong;
  if (first.ptr + 1 == end) return choice;
  const auto last = std::from_chars(first.ptr + 1, end, choice.last);
  if (last.ec != std::errc() || last.ptr != end || choice.last < choice.first) return wrong;
  return choice;
}

bool LaunchChoice::has(std::uint64_t number, const std::string& kernel) const {
  if (number < first || number > last) return false;
  return kernels.empty() || std::any_of(kernels.begin(), kernels.end(), [&](const std::string& name) {
           return is_kernel_named(kernel, name);
         });
}

CountedLaunches::Turn CountedLaunches::next(const std::string& kernel, const LaunchOp& op) {
  Turn turn;
  turn.number = ++launches_;
  last_ = nullptr;
  turn.chosen = choice_.has(turn.number, kernel);
  if (!turn.chosen || choice_.every) return turn;
  if (seen_.size() >= kMaxKinds) seen_.clear();
  Same& same = seen_[kind_of(op)];
  if (same.counted >= kCountedAlike) {
    turn.like = &same.record;
    turn.like_number = same.number;
    return turn;
  }
  ++same.counted;
  same.number = turn.number;
  last_ = &same;
  return turn;
}

void CountedLaunches::keep(const LaunchRecord& record) {
  if (last_ != nullptr && last_->counted == kCountedAlike) last_->record = record;
}

}  // namespace fusebox::sim
