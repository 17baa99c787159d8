#include "grader/judge/again/grown_case.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace fusebox {
namespace {

// A second time through a loop for every other block, at least where it is the largest size that counts.
constexpr double kBeyond = 1.6;
constexpr std::int64_t kLength = 40;
constexpr std::int64_t kMaxSize = 8'000'000;  // the product of the sizes that grow

std::int64_t size_in(const Case& which, const std::string& name) {
  const auto found = which.sizes.find(name);
  return found == which.sizes.end() ? 1 : found->second;
}

/// Launches of both that have the same grid, though the sizes differ.
std::vector<std::size_t> kept_grids(const std::vector<LaunchOp>& a, const std::vector<LaunchOp>& b) {
  std::vector<std::size_t> same;
  for (std::size_t i = 0; i < a.size() && a.size() == b.size(); ++i)
    if (a[i].kernel == b[i].kernel && a[i].grid == b[i].grid && a[i].block == b[i].block) same.push_back(i);
  return same;
}

/// Warps, or threads where there is one size alone, of the largest of these launches.
std::int64_t workers(const std::vector<LaunchOp>& launches, const std::vector<std::size_t>& which,
                     bool threads) {
  std::uint64_t most = 0;
  for (const std::size_t i : which)
    most = std::max(most, launches[i].grid.count() * launches[i].block.count() / (threads ? 1 : 32));
  return static_cast<std::int64_t>(most);
}

bool is_reached(std::span<const Case* const> cases, const Case& grown) {
  return std::any_of(cases.begin(), cases.end(), [&](const Case* each) {
    return std::all_of(grown.drawn.begin(), grown.drawn.end(),
                       [&](const auto& of) { return size_in(*each, of.first) >= size_in(grown, of.first); });
  });
}

std::int64_t product(const Case& which) {
  double all = 1;
  for (const auto& [name, range] : which.drawn)
    all *= static_cast<double>(std::max<std::int64_t>(size_in(which, name), 1));
  return all > 1e15 ? std::int64_t{1'000'000'000'000'000} : static_cast<std::int64_t>(all);
}

std::int64_t largest_size(const Case& which) {
  std::int64_t size = 1;
  for (const auto& [name, range] : which.drawn) size = std::max(size, size_in(which, name));
  return size;
}

}  // namespace

GrowingCase::GrowingCase(const Case& drawn, const Case& full) : drawn_(drawn), full_(full.sizes) {
  for (const auto& [name, range] : drawn_.drawn) {
    const std::int64_t least = std::max<std::int64_t>(range.min, 1);
    drawn_.sizes[name] = least;
    // A size that full size has no more of stays as it is.
    full_[name] = std::max(least, size_in(full, name));
    growth_ = std::max(growth_, static_cast<double>(full_[name]) / static_cast<double>(least));
  }
}

Case GrowingCase::at(double share) const {
  Case which = drawn_;
  for (const auto& [name, range] : drawn_.drawn) {
    const auto least = static_cast<double>(drawn_.sizes.at(name));
    const double times = static_cast<double>(full_.at(name)) / least;
    which.sizes[name] = static_cast<std::int64_t>(std::llround(least * std::pow(times, share)));
  }
  return which;
}

Case GrowingCase::quarter() const {
  Case which = drawn_;
  for (auto& [name, size] : which.sizes)
    if (const auto found = drawn_.drawn.find(name); found != drawn_.drawn.end())
      size = std::max(size, full_.at(name) / 4);
  return which;
}

std::optional<Case> beyond_the_grid(const GrowingCase& growing, std::span<const Case* const> cases,
                                    const LaunchesOf& launches) {
  constexpr int kSteps = GrowingCase::kSteps;
  if (growing.growth() < 2 * kBeyond) return std::nullopt;
  const Case end = growing.largest();
  const std::vector<LaunchOp> at_end = launches(end);
  if (at_end.empty()) return std::nullopt;
  const auto kept = kept_grids(launches(growing.quarter()), at_end);
  if (kept.empty()) return std::nullopt;
  const auto has_those_grids = [&](const Case& which) {
    const auto same = kept_grids(launches(which), at_end);
    return std::includes(same.begin(), same.end(), kept.begin(), kept.end());
  };
  const auto holds = [&](int step) {
    return has_those_grids(growing.at(static_cast<double>(step) / kSteps));
  };
  int below = 0, reached = holds(0) ? 0 : kSteps;  // the grids are not yet, and are, those of full size
  while (reached - below > 1) {
    const int middle = (below + reached) / 2;
    (holds(middle) ? reached : below) = middle;
  }
  double share = static_cast<double>(reached) / kSteps + std::log(kBeyond) / std::log(growing.growth());
  Case grown = growing.at(std::min(share, 1.0));
  // Grids that never grow do not say what is enough for them.
  if (reached == 0) {
    const auto enough = static_cast<std::int64_t>(
        kBeyond * static_cast<double>(workers(at_end, kept, end.drawn.size() == 1)));
    while (largest_size(grown) < enough && share < 1)
      grown = growing.at(share = std::min(share + 1.0 / kSteps, 1.0));
  }
  // What the grids do not come of, a row's length, need not be large.
  for (const auto& [name, range] : end.drawn) {
    Case smaller = grown;
    std::int64_t& size = smaller.sizes[name];
    if (size <= kLength || size == largest_size(grown)) continue;
    size = std::max(range.min, kLength);
    if (has_those_grids(smaller)) grown = std::move(smaller);
  }
  if (product(grown) > kMaxSize || is_reached(cases, grown)) return std::nullopt;
  return grown;
}

}  // namespace fusebox
