#include "grader/simulator/observe/traffic/samples.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <tuple>

#include "grader/simulator/observe/requests/lanes.h"
#include "grader/simulator/observe/requests/sectors.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

const char* word(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return "load";
    case AccessKind::store:
      return "store";
    case AccessKind::atomic:
      return "atomic";
  }
  return "";
}

}  // namespace

Samples::Samples(std::vector<std::string> files, std::vector<NamedRange> ranges)
    : files_(std::move(files)), ranges_(std::move(ranges)) {}

void Samples::launch_begin(const LaunchInfo& launch) {
  kernel_ = launch.function;
  code_.clear();
  const std::uint64_t blocks = std::max<std::uint64_t>(launch.grid.count(), 1);
  blocks_ = {0, blocks / 2, blocks - 1};
}

bool Samples::is_alike(const SampledAccess& shape, const WarpAccess& access) {
  if (shape.lanes != access.lanes || shape.space != access.space || shape.bytes != access.bytes ||
      shape.kind != access.kind)
    return false;
  const int first = std::countr_zero(access.lanes);
  // 32 banks of 4 bytes come round after as many bytes as a line has.
  if ((shape.address[first] ^ access.address[first]) % kLineBytes != 0) return false;
  const std::uint64_t apart = access.address[first] - shape.address[first];
  for (const int lane : lanes_in(access.lanes)) {
    if (access.address[lane] - shape.address[lane] != apart) return false;
  }
  return true;
}

WarpAccess Samples::access_of(const SampledAccess& shape) {
  WarpAccess access;
  access.space = shape.space;
  access.kind = shape.kind;
  access.bytes = shape.bytes;
  access.lanes = shape.lanes;
  access.address = shape.address.data();
  return access;
}

void Samples::access(const WarpAccess& access) {
  if (access.space != Space::global && access.space != Space::shared) return;
  if (is_tensor(access.path)) return;  // no lane's, and not by banks
  const std::uint64_t block = access.warp.block;
  if (std::find(blocks_.begin(), blocks_.end(), block) == blocks_.end()) return;
  const ptx::Function* function = access.warp.function ? access.warp.function : kernel_;
  auto code = std::find_if(code_.begin(), code_.end(),
                           [&](const Code& c) { return c.function == function && c.block == block; });
  if (code == code_.end()) code = code_.insert(code_.end(), {block, function, {}});
  code->shapes.resize(function->instructions.size());
  auto& shapes = code->shapes[access.instruction];
  for (SampledAccess& shape : shapes) {
    if (!is_alike(shape, access)) continue;
    ++shape.requests;
    return;
  }
  if (shapes.size() == kShapesKept) return;
  SampledAccess shape;
  shape.function = function;
  shape.instruction = access.instruction;
  shape.space = access.space;
  shape.kind = access.kind;
  shape.bytes = access.bytes;
  shape.lanes = access.lanes;
  for_each_lane(access.lanes, [&](int lane) { shape.address[lane] = access.address[lane]; });
  shape.block = access.warp.block;
  shape.warp = access.warp.warp;
  shape.requests = 1;
  shapes.push_back(shape);
}

void Samples::merge(const Samples& other) {
  code_.insert(code_.end(), other.code_.begin(), other.code_.end());
}

AccessSample Samples::sample_of(const SampledAccess& shape) const {
  const ptx::Location& location = shape.function->instructions[shape.instruction].location;
  AccessSample sample;
  if (location.line > 0 && location.file < files_.size()) {
    sample.file = files_[location.file];
    sample.line = location.line;
  }
  sample.space = shape.space == Space::global ? "global" : "shared";
  sample.kind = word(shape.kind);
  sample.bytes = shape.bytes;
  sample.block = shape.block;
  sample.warp = shape.warp;
  sample.lanes = shape.lanes;
  sample.requests = shape.requests;
  std::uint64_t base = 0;
  if (shape.space == Space::global) {
    const std::uint64_t first = shape.address[std::countr_zero(shape.lanes)];
    for (const NamedRange& range : ranges_) {
      if (!range.holds(first, first + 1)) continue;
      sample.tensor = range.name;
      base = range.address;
    }
  }
  sample.offsets.reserve(kWarpSize);
  for (int lane = 0; lane < kWarpSize; ++lane)
    sample.offsets.push_back(shape.lanes >> lane & 1 ? static_cast<std::int64_t>(shape.address[lane] - base)
                                                     : -1);
  return sample;
}

std::vector<Samples::SampledAccess> Samples::shapes_at(std::size_t instruction,
                                                       std::span<const Code* const> blocks) {
  std::vector<SampledAccess> kept;
  for (const Code* code : blocks) {
    for (const SampledAccess& shape : code->shapes[instruction]) {
      const WarpAccess access = access_of(shape);
      const auto same = std::find_if(kept.begin(), kept.end(),
                                     [&](const SampledAccess& known) { return is_alike(known, access); });
      if (same != kept.end())
        same->requests += shape.requests;
      else if (kept.size() < kShapesKept)
        kept.push_back(shape);
    }
  }
  return kept;
}

std::vector<AccessSample> Samples::take() const {
  std::vector<AccessSample> samples;
  // The same however the blocks were shared out: the kernel before what it calls, then by block.
  std::vector<const Code*> ordered;
  ordered.reserve(code_.size());
  for (const Code& code : code_) ordered.push_back(&code);
  std::sort(ordered.begin(), ordered.end(), [&](const Code* a, const Code* b) {
    return std::tuple(a->function != kernel_, std::string_view(a->function->name), a->block) <
           std::tuple(b->function != kernel_, std::string_view(b->function->name), b->block);
  });
  for (std::size_t first = 0, end = 0; first < ordered.size(); first = end) {
    const ptx::Function* function = ordered[first]->function;
    while (end < ordered.size() && ordered[end]->function == function) ++end;
    const std::span<const Code* const> blocks(ordered.data() + first, end - first);
    for (std::size_t i = 0; i < function->instructions.size(); ++i)
      for (const SampledAccess& shape : shapes_at(i, blocks)) samples.push_back(sample_of(shape));
  }
  std::stable_sort(samples.begin(), samples.end(), [](const AccessSample& a, const AccessSample& b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
  });
  return samples;
}

}  // namespace fusebox::sim
