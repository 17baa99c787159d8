#include "grader/simulator/observe/modelled/balance.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

namespace fusebox::sim {

namespace {

struct Loads {
  std::uint64_t busiest_sm = 0, longest_place = 0;
};

/// The first blocks are dealt to the SMs in turn, every later one takes the place that is free first.
Loads deal(std::span<const std::uint64_t> work, std::uint64_t sms, std::uint64_t places) {
  using Place = std::pair<std::uint64_t, std::uint64_t>;  // when it is free, and its number
  std::priority_queue<Place, std::vector<Place>, std::greater<>> next;
  std::vector<std::uint64_t> of_sm(sms);
  Loads loads;
  for (std::uint64_t block = 0; block < work.size(); ++block) {
    Place place{0, block};
    if (block >= places) {
      place = next.top();
      next.pop();
    }
    place.first += work[block];
    loads.longest_place = std::max(loads.longest_place, place.first);
    of_sm[place.second % sms] += work[block];
    next.push(place);
  }
  loads.busiest_sm = *std::max_element(of_sm.begin(), of_sm.end());
  return loads;
}

}  // namespace

Balance balance(std::span<const std::uint64_t> work, std::uint64_t sms, std::uint64_t resident) {
  const std::uint64_t all = std::accumulate(work.begin(), work.end(), std::uint64_t{0});
  const bool alike = std::adjacent_find(work.begin(), work.end(), std::not_equal_to<>()) == work.end();
  if (all == 0 || alike || sms == 0 || resident == 0) return {};
  const std::uint64_t places = std::min<std::uint64_t>(work.size(), sms * resident);
  const Loads here = deal(work, sms, places),
              even = deal(std::vector<std::uint64_t>(work.size(), 1), sms, places);
  const double mean = static_cast<double>(all) / static_cast<double>(work.size());
  const auto over = [&](std::uint64_t load, std::uint64_t of_equal) {
    return std::max(static_cast<double>(load) / (mean * static_cast<double>(of_equal)), 1.0);
  };
  return {over(here.busiest_sm, even.busiest_sm), over(here.longest_place, even.longest_place)};
}

}  // namespace fusebox::sim
