#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "grader/judge/repair/plan_places.h"
#include "grader/judge/repair/repair.h"
#include "grader/judge/source/source_code.h"
#include "grader/report/hardware.h"

namespace fusebox {
namespace {

/// No number of elements is as large as the bits of a float, or as an address.
constexpr std::uint64_t kMaxCount = 1u << 27;

/// "400 bytes of dynamic shared memory in place of 100, 4 times as much," or, where it is room for each warp
/// or thread, "8 bytes of dynamic shared memory more for each warp", which is so in every case.
std::string more_shared(const LaunchOp& old, const LaunchOp& now) {
  const std::uint32_t was = old.dynamic_shared_bytes, is = now.dynamic_shared_bytes, more = is - was;
  if (is % was == 0)
    return fmt::format("{} bytes of dynamic shared memory in place of {}, {} times as much,", is, was,
                       is / was);
  const bool by_warp = more < old.block.count();
  return fmt::format("{} bytes of dynamic shared memory more for each {}",
                     by_warp ? more / warps_of(old.block.count()) : sizeof(float),
                     by_warp ? "warp" : "thread");
}

/// Whether the one has the threads of all warps that the other begins.
bool is_filled(const Dim3& old, const Dim3& now) {
  return old.count() % kWarpSize != 0 && now.count() == kWarpSize * warps_of(old.count());
}

/// Which two axes of a grid are exchanged, as it is said behind one of them: the same in all cases, whose
/// sizes differ. Empty: none.
std::string_view exchanged_axes(const Dim3& old, const Dim3& now) {
  if (old == Dim3{now.y, now.x, now.z}) return ", x and y exchanged,";
  if (old == Dim3{now.x, now.z, now.y}) return ", y and z exchanged,";
  return old == Dim3{now.z, now.y, now.x} ? ", x and z exchanged," : "";
}

/// A change of grid, block and shared memory of one launch.
PlanEdit shape_edit(std::size_t number, std::function<void(LaunchOp&)> change) {
  PlanEdit edit;
  edit.change = [=](LaunchPlan& plan, const Call&) {
    LaunchOp* launch = launch_of(plan, number);
    if (!launch) return false;
    const Dim3 grid = launch->grid, block = launch->block;
    const auto shared = launch->dynamic_shared_bytes;
    change(*launch);
    const bool fits = launch->block.count() <= 1024 && launch->block.count() > 0 && launch->grid.count() > 0;
    return fits && (grid != launch->grid || block != launch->block || shared != launch->dynamic_shared_bytes);
  };
  edit.with = [=](const LaunchPlan& before) {
    LaunchPlan after = before;
    const LaunchOp old = *launch_of(after, number);
    change(*launch_of(after, number));
    const LaunchOp& now = *launch_of(after, number);
    if (old.grid == now.block && old.block == now.grid)
      return fmt::format("grid and block exchanged at {}", place_of_launch(before, number));
    std::string what;
    if (old.grid != now.grid)
      what =
          fmt::format("a grid of {}{}", in_place_of(now.grid, old.grid), exchanged_axes(old.grid, now.grid));
    if (old.block != now.block)
      what += fmt::format("{}a block of {}{}", what.empty() ? "" : " and ", in_place_of(now.block, old.block),
                          is_filled(old.block, now.block) ? ", rounded up to whole warps," : "");
    if (old.dynamic_shared_bytes != now.dynamic_shared_bytes) what = more_shared(old, now);
    return fmt::format("{} at {}", what, place_of_launch(before, number));
  };
  return edit;
}

/// `bounds`: of how many threads a block has to be at most, by the kernel's __launch_bounds__; 0: not said.
void add_shapes(std::size_t number, int bounds, std::vector<PlanEdit>& edits) {
  const std::function<void(LaunchOp&)> changes[] = {
      [](LaunchOp& l) { std::swap(l.block.x, l.block.y); },
      [](LaunchOp& l) { std::swap(l.grid.x, l.grid.y); },
      [](LaunchOp& l) { std::swap(l.grid.x, l.grid.z); },
      [](LaunchOp& l) { std::swap(l.grid.y, l.grid.z); },
      [](LaunchOp& l) { std::swap(l.grid, l.block); },
      // Counted in floats, or in halves.
      [](LaunchOp& l) { l.dynamic_shared_bytes *= sizeof(float); },
      [](LaunchOp& l) { l.dynamic_shared_bytes *= sizeof(float) / 2; },
  };
  for (const auto& change : changes) edits.push_back(shape_edit(number, change));
  const std::function<void(LaunchOp&)> sizes[] = {
      [](LaunchOp& l) { ++l.grid.x; },
      [](LaunchOp& l) { ++l.grid.y; },
      [](LaunchOp& l) { l.block.x *= 2; },
      // A warp for a row, and four rows a block.
      [](LaunchOp& l) { l.block.x *= l.block.x == 32 ? 4 : 1; },
      [](LaunchOp& l) { l.block.x /= 2; },
      [](LaunchOp& l) { l.block.x = 32; },
  };
  for (const auto& change : sizes) {
    edits.push_back(shape_edit(number, change));
    edits.back().resizes = true;
  }
  // Whole warps, or what a kernel is written for, where a launch gives it fewer threads: in some cases, by
  // their sizes.
  const auto fill = [&](auto threads) {
    edits.push_back(shape_edit(number, [threads](LaunchOp& l) {
      if (l.block.y == 1 && l.block.z == 1) l.block.x = std::max<std::uint32_t>(l.block.x, threads(l));
    }));
    edits.back().family = PlanEdit::Family::fuller_block;
    edits.back().resizes = true;
  };
  fill([](const LaunchOp& l) { return static_cast<std::uint32_t>(kWarpSize * warps_of(l.block.count())); });
  fill([bounds](const LaunchOp&) { return static_cast<std::uint32_t>(bounds); });
  // Room behind something else for what warps or threads add up.
  using Threads = std::uint64_t;
  const std::function<std::uint64_t(Threads)> rooms[] = {[](Threads n) { return 4 * warps_of(n); },
                                                         [](Threads n) { return 8 * warps_of(n); },
                                                         [](Threads n) { return 4 * n; }};
  for (const auto& room : rooms) {
    edits.push_back(shape_edit(number, [room](LaunchOp& l) {
      if (l.dynamic_shared_bytes > 0)
        l.dynamic_shared_bytes += static_cast<std::uint32_t>(room(l.block.count()));
    }));
    edits.back().family = PlanEdit::Family::more_shared;
  }
  edits.push_back(shape_edit(number, [](LaunchOp& l) { ++l.grid.x, ++l.grid.y; }));
  edits.back().does_more = edits.back().resizes = true;
}

/// Grid and block exchanged at all launches of a kernel.
void add_exchanged_sides(const std::vector<std::size_t>& numbers, std::vector<PlanEdit>& edits) {
  PlanEdit edit;
  edit.change = [=](LaunchPlan& plan, const Call&) {
    bool differs = false;
    for (const std::size_t number : numbers) {
      LaunchOp* launch = launch_of(plan, number);
      if (!launch || launch->grid.count() > 1024) return false;
      std::swap(launch->grid, launch->block);
      differs |= launch->grid != launch->block;
    }
    return differs;
  };
  edit.with = [=](const LaunchPlan& before) {
    return fmt::format("grid and block exchanged at {}", place_of_launches(before, numbers));
  };
  edits.push_back(std::move(edit));
}

/// Two arguments exchanged at all of `numbers`, which are launches of one kernel; `only_of`: where it is this
/// one that is launched, of several that take the same; empty: whichever it is.
void add_exchanges(const std::vector<std::size_t>& numbers, const Arguments& arguments,
                   const std::string& only_of, std::vector<PlanEdit>& edits) {
  const auto& slots = arguments.slots;
  for (std::size_t a = 0; a < slots.size(); ++a)
    for (std::size_t b = a + 1; b < slots.size(); ++b) {
      if (slots[a].bytes != slots[b].bytes || slots[a].bytes > 8) continue;
      PlanEdit edit;
      edit.change = [=, one = slots[a], other = slots[b]](LaunchPlan& plan, const Call&) {
        bool differs = false;
        for (const std::size_t number : numbers) {
          LaunchOp* launch = launch_of(plan, number);
          if (!launch || (!only_of.empty() && launch->kernel != only_of)) return false;
          const std::uint64_t first = value_of(*launch, one), second = value_of(*launch, other);
          set_value(*launch, one, second), set_value(*launch, other, first);
          differs |= first != second;
        }
        return differs;
      };
      edit.with = [=](const LaunchPlan& before) {
        return fmt::format("the arguments for {} and {} exchanged at {}", arguments.name(a),
                           arguments.name(b), place_of_launches(before, numbers));
      };
      edits.push_back(std::move(edit));
    }
}

/// What is given for three neighbouring parameters turned round, one way or the other: they were given in the
/// order of another function.
void add_rotations(std::size_t number, const Arguments& arguments, std::vector<PlanEdit>& edits) {
  const auto& slots = arguments.slots;
  for (std::size_t first = 0; first + 2 < slots.size(); ++first)
    for (const std::size_t step : {1, 2}) {
      const std::array<KernelParameters::Slot, 3> of{slots[first], slots[first + 1], slots[first + 2]};
      if (of[0].bytes != of[1].bytes || of[1].bytes != of[2].bytes || of[0].bytes > 8) continue;
      PlanEdit edit;
      edit.change = [=](LaunchPlan& plan, const Call&) {
        LaunchOp* launch = launch_of(plan, number);
        if (!launch) return false;
        std::array<std::uint64_t, 3> values{};
        for (std::size_t i = 0; i < 3; ++i) values[i] = value_of(*launch, of[i]);
        for (std::size_t i = 0; i < 3; ++i) set_value(*launch, of[i], values[(i + step) % 3]);
        // Where two are alike an exchange does as much.
        return values[0] != values[1] && values[1] != values[2] && values[0] != values[2];
      };
      edit.with = [=](const LaunchPlan& before) {
        const auto names = [&](std::size_t turn) {
          return fmt::format("{}, {} and {}", arguments.name(first + turn % 3),
                             arguments.name(first + (1 + turn) % 3), arguments.name(first + (2 + turn) % 3));
        };
        return fmt::format("what is given for {} given for {} at {}", names(step), names(0),
                           place_of_launch(before, number));
      };
      edits.push_back(std::move(edit));
    }
}

/// Another of the host function's own arguments in place of one.
void add_replacements(const Suspect& suspect, std::size_t number, const Arguments& arguments,
                      std::vector<PlanEdit>& edits) {
  // Of the host function: which are pointers and which are integers, and what they are called there.
  const auto names = parameters_of(code_of(suspect.reference.text), suspect.entry.signature.function);
  const std::size_t count = suspect.entry.signature.parameters.size();
  if (names.size() != count) return;
  for (std::size_t a = 0; a < arguments.slots.size(); ++a)
    for (std::size_t host = 0; host < count; ++host) {
      const KernelParameters::Slot slot = arguments.slots[a];
      PlanEdit edit;
      edit.change = [number, slot, host](LaunchPlan& plan, const Call& call) {
        LaunchOp* launch = launch_of(plan, number);
        if (!launch || host >= call.request.arguments.size()) return false;
        const HostArgument& other = call.request.arguments[host];
        const std::size_t bytes = other.kind == HostArgument::Kind::pointer ? 8 : 4;
        if (bytes != slot.bytes || other.kind == HostArgument::Kind::float32 ||
            other.kind == HostArgument::Kind::host_array)
          return false;
        const std::uint64_t old = value_of(*launch, slot);
        // An integer for an integer: none of them is as large as the bits of a float.
        if (bytes == 4 && old > (1u << 29)) return false;
        set_value(*launch, slot, other.bits);
        return old != other.bits;
      };
      edit.with = [=](const LaunchPlan& before) {
        const bool is_called_so = arguments.name(a) == fmt::format("`{}`", names[host]);
        return fmt::format("`{}` given for {}{} at {}", names[host], is_called_so ? "the parameter " : "",
                           arguments.name(a), place_of_launch(before, number));
      };
      edit.replaces = true;
      edits.push_back(std::move(edit));
    }
}

/// Counted in floats where float4s are meant, or the other way round.
void add_fours(std::size_t number, const std::string& kernel, const Arguments& arguments,
               std::vector<PlanEdit>& edits) {
  constexpr std::uint64_t kFour = 4;
  for (std::size_t a = 0; a < arguments.slots.size(); ++a)
    for (const bool quarter : {true, false}) {
      const KernelParameters::Slot slot = arguments.slots[a];
      if (slot.bytes != sizeof(std::int32_t)) continue;
      const auto meant = [=](std::uint64_t old) { return quarter ? old / kFour : old * kFour; };
      PlanEdit edit;
      edit.change = [=](LaunchPlan& plan, const Call&) {
        LaunchOp* launch = launch_of(plan, number);
        if (!launch || launch->kernel != kernel) return false;
        const std::uint64_t old = value_of(*launch, slot);
        if (old == 0 || old > kMaxCount || (quarter && old % kFour != 0)) return false;
        set_value(*launch, slot, meant(old));
        return true;
      };
      edit.with = [=](const LaunchPlan& before) {
        LaunchPlan plan = before;
        const std::uint64_t old = value_of(*launch_of(plan, number), slot);
        return fmt::format("{} given for {} in place of {}, {}, at {}", meant(old), arguments.name(a), old,
                           quarter ? "a quarter of it" : "4 times as much", place_of_launch(before, number));
      };
      edit.replaces = true;
      edit.does_more = true;  // any other number may do as well, where one of the host function's own does
      edits.push_back(std::move(edit));
    }
}

/// The blocks of all launches, where kernels count on others than they are given. `change` gets each launch
/// of one-dimensional blocks.
void add_of_all(std::size_t count, PlanEdit::Family family, const std::string& what,
                const std::function<void(LaunchOp&)>& change, std::vector<PlanEdit>& edits) {
  PlanEdit edit;
  edit.change = [=](LaunchPlan& plan, const Call&) {
    bool differs = false;
    for (std::size_t number = 0; LaunchOp* launch = launch_of(plan, number); ++number) {
      if (launch->block.y != 1 || launch->block.z != 1) continue;
      const Dim3 before = launch->block;
      change(*launch);
      if (launch->block.x == 0 || launch->block.x > 1024) return false;
      differs |= before != launch->block;
    }
    return differs;
  };
  edit.with = [=](const LaunchPlan& before) {
    return fmt::format(
        "{} at {}", what,
        count == 1 ? place_of_launch(before, std::size_t{0}) : fmt::format("all {} launches", count));
  };
  edit.does_more = edit.resizes = true;
  edit.family = family;
  edits.push_back(std::move(edit));
}

/// A block has fewer of the rows than it was counted for: half of them, or one for each of its 4 or 8 warps
/// where each of 32 lanes was to have one.
void add_more_blocks(std::size_t number, std::vector<PlanEdit>& edits) {
  for (const std::uint32_t times : {2, 4, 8, 32}) {
    edits.push_back(shape_edit(number, [times](LaunchOp& l) { l.grid.x *= times; }));
    edits.back().does_more = edits.back().resizes = true;
    edits.back().family = PlanEdit::Family::more_blocks;
  }
}

void add_blocks(std::size_t count, std::vector<PlanEdit>& edits) {
  using Family = PlanEdit::Family;
  for (const std::uint32_t threads : {64, 128, 256, 512, 1024})
    add_of_all(
        count, Family::larger_blocks, fmt::format("blocks of at least {} threads", threads),
        [threads](LaunchOp& l) { l.block.x = std::max(l.block.x, threads); }, edits);
  for (const std::uint32_t times : {2, 4}) {
    const char* share = times == 2 ? "half" : "a quarter";
    add_of_all(
        count, Family::smaller_blocks,
        fmt::format("blocks of {} as many threads, and {} times as many of them,", share, times),
        [times](LaunchOp& l) {
          if (l.block.x % times == 0) l.block.x /= times, l.grid.x *= times;
        },
        edits);
  }
}

/// More or larger blocks reach what a kernel has no loop for: where only values are wrong, or nobody but the
/// solution launches, they say nothing of what is.
bool may_need_other_blocks(const Suspect& suspect) {
  const auto has_fault = [](const CaseAnswer& answer) { return !answer.result->faults.empty(); };
  if (std::none_of(suspect.cases.begin(), suspect.cases.end(), has_fault)) return false;
  const auto blanks = find_blanks(suspect.student.text);
  if (!blanks || blanks->empty()) return true;
  const auto& names = suspect.entry.blanks;
  return std::any_of(blanks->begin(), blanks->end(), [&](const Blank& blank) {
    return launches_kernels(blank) && std::find(names.begin(), names.end(), blank.name) != names.end();
  });
}

/// `other` in place of `kernel`; `count`: which argument counts pieces of 4 elements where `other` counts
/// elements, and has 4 times as many blocks.
PlanEdit kernel_edit(std::size_t number, const std::string& kernel, const std::string& other,
                     std::optional<KernelParameters::Slot> count) {
  constexpr std::uint32_t kFour = 4;
  PlanEdit edit;
  edit.change = [=](LaunchPlan& plan, const Call&) {
    LaunchOp* launch = launch_of(plan, number);
    if (!launch || launch->kernel != kernel) return false;
    launch->kernel = other;
    if (count) {
      const std::uint64_t pieces = value_of(*launch, *count);
      if (pieces == 0 || pieces > kMaxCount) return false;
      set_value(*launch, *count, kFour * pieces);
      launch->grid.x *= kFour;
    }
    return true;
  };
  edit.with = [=](const LaunchPlan&) {
    return fmt::format("`{}` launched{} where the host function chooses `{}`", shown_name(other),
                       count ? ", for 4 times as many elements," : "", shown_name(kernel));
  };
  edit.does_more = edit.chooses = true;
  edit.family = PlanEdit::Family::another_kernel;
  return edit;
}

/// Another kernel that takes the same arguments, where the host function chooses between them: what it
/// chooses must be right somewhere, else the kernel is wrong and not the choice.
void add_kernels(const Suspect& suspect, const std::string& code, const Launched& launched,
                 std::size_t number, const std::string& kernel, std::vector<PlanEdit>& edits) {
  if (!launched.where_right.contains(kernel)) return;
  const auto slots = arguments_of(suspect, code, kernel).slots;
  for (const std::string& other : launched.anywhere) {
    const auto theirs = arguments_of(suspect, code, other).slots;
    const auto same = [](const auto& a, const auto& b) { return a.bytes == b.bytes; };
    if (other == kernel || !std::equal(slots.begin(), slots.end(), theirs.begin(), theirs.end(), same))
      continue;
    edits.push_back(kernel_edit(number, kernel, other, {}));
    // An int or a std::int64_t: no address is as small as a number of elements.
    for (const KernelParameters::Slot& slot : slots)
      if (slot.bytes == 4 || slot.bytes == 8) edits.push_back(kernel_edit(number, kernel, other, slot));
  }
}

void add_order(std::size_t number, std::vector<PlanEdit>& edits) {
  PlanEdit edit;
  edit.change = [number](LaunchPlan& plan, const Call&) {
    LaunchOp* one = launch_of(plan, number);
    LaunchOp* other = launch_of(plan, number + 1);
    if (!one || !other || !plan.order.empty()) return false;
    std::swap(*one, *other);
    return true;
  };
  edit.with = [number](const LaunchPlan& before) {
    return fmt::format("{} before {}", place_of_launch(before, number + 1), place_of_launch(before, number));
  };
  edits.push_back(std::move(edit));
}

}  // namespace

std::vector<PlanEdit> edits_of_plan(const Suspect& suspect, const LaunchPlan& plan, const Call& call) {
  std::vector<PlanEdit> edits;
  const auto at = launches_in(plan);
  if (at.size() > kMaxChangedOps) return edits;
  const std::string code = code_of(suspect.student.text);
  const Launched launched = launched_by(suspect);
  std::map<std::string, std::vector<std::size_t>> launches_of;  // of each kernel
  for (std::size_t number = 0; number < at.size(); ++number) {
    const std::string& kernel = std::get<LaunchOp>(plan.ops[at[number]]).kernel;
    const Arguments arguments = arguments_of(suspect, code, kernel);
    launches_of[kernel].push_back(number);
    add_shapes(number, arguments.max_threads, edits);
    add_exchanges({number}, arguments, "", edits);
    if (launched.anywhere.size() > at.size()) add_exchanges({number}, arguments, kernel, edits);
    add_rotations(number, arguments, edits);
    add_replacements(suspect, number, arguments, edits);
    add_fours(number, kernel, arguments, edits);
    add_kernels(suspect, code, launched, number, kernel, edits);
    if (number + 1 < at.size()) add_order(number, edits);
  }
  if (may_need_other_blocks(suspect)) {
    for (std::size_t number = 0; number < at.size(); ++number) add_more_blocks(number, edits);
    add_blocks(at.size(), edits);
  }
  for (const auto& [kernel, numbers] : launches_of)
    if (numbers.size() > 1) add_exchanged_sides(numbers, edits);
  for (const auto& [kernel, numbers] : launches_of)
    if (numbers.size() > 1) add_exchanges(numbers, arguments_of(suspect, code, kernel), "", edits);
  for (PlanEdit& edit : edits_of_memory(suspect, plan, call)) edits.push_back(std::move(edit));
  return edits;
}

}  // namespace fusebox
