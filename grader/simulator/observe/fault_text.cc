#include "grader/simulator/observe/fault_text.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <memory>

#include "grader/simulator/exec/device_heap.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

/// No buffer starts here; a null pointer plus an index usually still ends here.
constexpr std::uint64_t kNullZone = 64 << 10;
/// Further from a buffer than this, the address has nothing to do with it.
constexpr std::uint64_t kNear = 16 << 20;

std::string bytes_text(std::uint64_t bytes) { return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s"); }

/// A shared array of a function is called `_ZZ6kernelE4tile` in PTX; the learner wrote `tile`.
std::string written_name(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> whole(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  if (!whole) return name;
  const std::string text = whole.get();
  const std::size_t scope = text.rfind("::");
  return scope == std::string::npos ? text : text.substr(scope + 2);
}

std::string range_text(const NamedRange& range) {
  return fmt::format("`{}` ({})", written_name(range.name), bytes_text(range.bytes));
}

std::array<std::uint32_t, 3> unfold(std::uint64_t linear, const Dim3& extent) {
  const std::uint64_t x = extent.x ? extent.x : 1, y = extent.y ? extent.y : 1;
  return {static_cast<std::uint32_t>(linear % x), static_cast<std::uint32_t>(linear / x % y),
          static_cast<std::uint32_t>(linear / x / y)};
}

const NamedRange* range_of(std::uint64_t address, std::span<const NamedRange> ranges) {
  for (const NamedRange& range : ranges) {
    if (range.holds(address, address + 1)) return &range;
  }
  return nullptr;
}

std::uint64_t distance(std::uint64_t begin, std::uint64_t end, const NamedRange& range) {
  if (begin >= range.end()) return begin - range.end();
  if (end <= range.address) return range.address - end;
  return 0;
}

/// Where [begin, end) lies, seen from the nearest range.
std::string outside_text(std::uint64_t begin, std::uint64_t end, std::span<const NamedRange> ranges,
                         const char* in_none) {
  const NamedRange* nearest = nullptr;
  for (const NamedRange& range : ranges) {
    if (!nearest || distance(begin, end, range) < distance(begin, end, *nearest)) nearest = &range;
  }
  if (!nearest) return in_none;
  if (distance(begin, end, *nearest) > kNear) {
    return fmt::format("{}; the nearest, {}, is {} away", in_none, range_text(*nearest),
                       bytes_text(distance(begin, end, *nearest)));
  }
  if (begin >= nearest->end()) {
    if (begin == nearest->end()) return fmt::format("just past the end of {}", range_text(*nearest));
    return fmt::format("{} past the end of {}", bytes_text(begin - nearest->end()), range_text(*nearest));
  }
  if (begin < nearest->address) {
    return fmt::format("{} before the start of {}", bytes_text(nearest->address - begin),
                       range_text(*nearest));
  }
  if (end > nearest->end()) return fmt::format("across the end of {}", range_text(*nearest));
  return fmt::format("inside {}", range_text(*nearest));
}

std::string inside_text(const NamedRange* range, std::uint64_t address) {
  if (!range) return fmt::format("at address {:#x}", address);
  return fmt::format("at byte {} of {}", address - range->address, range_text(*range));
}

std::string access_text(const RawFault& fault) {
  const char* kinds[] = {"load", "store", "atomic operation"};
  std::string text = fmt::format("{} of {}", kinds[static_cast<int>(fault.access)], bytes_text(fault.bytes));
  if (fault.space == Space::shared)
    text += fault.access == AccessKind::load ? " from shared memory" : " in shared memory";
  if (fault.space == Space::local) text += " in local memory";
  if (fault.space == Space::constant) text += " from constant memory";
  if (fault.space == Space::param) text += " in parameters";
  return text;
}

void tell_out_of_bounds(const RawFault& fault, const FaultContext& context, Fault& out) {
  const std::uint64_t end = fault.address + fault.bytes;
  out.what = "out-of-bounds " + access_text(fault);
  if (fault.space == Space::shared) {
    out.where = outside_text(fault.address, end, context.shared, "outside the block's shared memory");
    out.hint =
        "Compare the index with the size of the shared array, and the array with the launch's block size and "
        "dynamic shared bytes.";
    return;
  }
  if (fault.space != Space::global) {
    out.where = fmt::format("at offset {:#x}", fault.address);
    out.hint = "Compare the index with the size of the array.";
    return;
  }
  if (fault.address < kNullZone) {
    out.kind = "null-pointer";
    out.what = access_text(fault) + " through a null pointer";
    out.where = fault.address == 0 ? "null pointer"
                                   : fmt::format("{} from a null pointer", bytes_text(fault.address));
    out.hint = "Pass the kernel a pointer that cudaMalloc filled in, in the order of its parameters.";
    return;
  }
  if (const NamedRange* freed = range_of(fault.address, context.freed);
      freed && !range_of(fault.address, context.buffers)) {
    out.kind = "use-after-free";
    out.what = access_text(fault) + " in freed memory";
    out.where = fmt::format("inside freed buffer {}", range_text(*freed));
    out.hint = "Call cudaFree after the last kernel that uses the buffer.";
    return;
  }
  if (const NamedRange* range = range_of(fault.address, context.buffers);
      range && range->name == DeviceHeap::kName) {
    out.where = fmt::format("in {}, outside its live pieces", DeviceHeap::kName);
    out.hint =
        "Compare the index with the size that malloc or new was given, and look for a free before this.";
    return;
  }
  out.where = outside_text(fault.address, end, context.buffers, "in no buffer");
  out.hint = out.where.find("before the start") != std::string::npos
                 ? "The index went below zero: look for a subtraction without a check, or an unsigned value "
                   "that wrapped."
                 : "Compare the index with the number of elements before the access; the grid may have more "
                   "threads than "
                   "there are elements.";
}

void tell_uninitialised(const RawFault& fault, const FaultContext& context, Fault& out) {
  const bool shared = fault.space == Space::shared;
  out.what = "uninitialised read: " + access_text(fault);
  out.where =
      fault.space == Space::global || shared
          ? inside_text(range_of(fault.address, shared ? context.shared : context.buffers), fault.address)
          : fmt::format("at offset {:#x}", fault.address);
  out.hint = shared ? "Shared memory is undefined when a block starts: let a thread write this element, then "
                      "__syncthreads(), before it is read."
                    : "Nothing has written these bytes yet: clear the buffer, or look at which elements the "
                      "writer skips.";
}

void tell_misaligned(const RawFault& fault, const FaultContext& context, Fault& out) {
  const auto ranges = fault.space == Space::shared ? context.shared : context.buffers;
  out.what = "misaligned " + access_text(fault);
  out.where = fmt::format(
      "{}, not a multiple of {}",
      inside_text(fault.space == Space::local ? nullptr : range_of(fault.address, ranges), fault.address),
      fault.bytes);
  out.hint = fmt::format(
      "An access of {0} starts at a multiple of {0}: use a narrower type where rows or tails do not.",
      bytes_text(fault.bytes));
}

std::string thread_text(const std::array<std::uint32_t, 3>& index) {
  return fmt::format("({})", fmt::join(index, ","));
}

void tell_race(const RawFault& fault, const FaultContext& context, Fault& out) {
  const bool same_value = fault.kind == FaultKind::race_same_value, shared = fault.space == Space::shared;
  const char* kinds[] = {"load", "store", "atomic operation"};
  out.kind = same_value ? "race-same-value" : shared ? "race-shared" : "race-global";
  std::string who;
  if (context.launch && fault.other.in_flight && fault.other.thread == fault.thread) {
    who = " by the same thread";
  } else if (context.launch) {
    who = " by thread " + thread_text(unfold(fault.other.thread, context.launch->block));
    if (fault.other.block != fault.block)
      who += " of block " + thread_text(unfold(fault.other.block, context.launch->grid));
  }
  std::string line;
  if (fault.other.function && fault.other.instruction < fault.other.function->instructions.size()) {
    const ptx::Location& location = fault.other.function->instructions[fault.other.instruction].location;
    if (location.line > 0 && location.file < context.files.size()) {
      const std::string& file = context.files[location.file];
      line = file == out.file ? fmt::format(" at line {}", location.line)
                              : fmt::format(" at {}:{}", file, location.line);
    }
  }
  out.what = fmt::format(
      "race: {} and {}{}{} in no order{}", access_text(fault),
      fault.other.in_flight ? "asynchronous copy" : kinds[static_cast<int>(fault.other.access)], line, who,
      !same_value                          ? ""
      : fault.access == fault.other.access ? ", both of the same value"
                                           : ", but the store changed nothing");
  out.where = inside_text(range_of(fault.address, shared ? context.shared : context.buffers), fault.address);
  const bool atomic = fault.access == AccessKind::atomic || fault.other.access == AccessKind::atomic;
  if (fault.other.in_flight) {
    out.hint =
        "The copy is still on its way: wait for it first (its thread: cp.async.wait_group, cuda::pipeline or "
        "__pipeline_wait_prior; then __syncthreads() for all others; a bulk copy: its mbarrier).";
  } else if (same_value) {
    out.hint =
        fault.access == fault.other.access
            ? "It happens to end well, but the language does not promise it: let one thread write, or use an "
              "atomic."
            : "It happens to end well with these values, but the language does not promise it: write "
              "elsewhere, or "
              "only what differs.";
  } else if (fault.block != fault.other.block) {
    out.hint =
        "Blocks run in no order: give each block its own output, combine with atomics, or split the kernel. "
        "To hand "
        "data on inside one launch: write, __threadfence(), then an atomic or volatile flag that the reader "
        "waits for.";
  } else if (fault.thread / kWarpSize == fault.other.thread / kWarpSize &&
             fault.thread != fault.other.thread) {
    out.hint =
        "Lanes of a warp need not run in step: put __syncwarp() (or __syncthreads()) between the two lines.";
  } else if (atomic) {
    out.hint = "Make every access that can meet atomic, or put __syncthreads() between the two lines.";
  } else {
    out.hint =
        "Put __syncthreads() between the two lines: it must lie on every way from one to the other, loops "
        "included.";
  }
}

const char* kind_key(FaultKind kind) {
  switch (kind) {
    case FaultKind::out_of_bounds:
      return "out-of-bounds";
    case FaultKind::uninitialised_read:
      return "uninitialised-read";
    case FaultKind::misaligned:
      return "misaligned";
    case FaultKind::barrier_divergence:
      return "barrier-divergence";
    case FaultKind::bad_mask:
      return "bad-mask";
    case FaultKind::endless_loop:
      return "endless-loop";
    case FaultKind::trap:
      return "trap";
    case FaultKind::bad_launch:
      return "bad-launch";
    case FaultKind::invalid_call:
      return "invalid-call";
    case FaultKind::race:
      return "race";
    case FaultKind::race_same_value:
      return "race-same-value";
    case FaultKind::bad_texture:
      return "bad-texture";
    case FaultKind::bad_free:
      return "bad-free";
    case FaultKind::bad_mbarrier:
      return "bad-mbarrier";
    case FaultKind::stack_overflow:
      return "stack-overflow";
  }
  return "unknown";
}

std::string with_note(const char* what, const std::string& note) {
  return note.empty() ? what : fmt::format("{}: {}", what, note);
}

}  // namespace

Fault describe(const RawFault& fault, const FaultContext& context) {
  Fault out;
  out.kind = kind_key(fault.kind);
  out.count = fault.count;
  const ptx::Function* function = fault.function;
  if (!function && context.launch) function = context.launch->function;
  if (function) {
    out.kernel = function->demangled.empty() ? function->name : function->demangled;
    if (fault.kind != FaultKind::bad_launch && fault.instruction < function->instructions.size()) {
      const ptx::Location& location = function->instructions[fault.instruction].location;
      if (location.line > 0 && location.file < context.files.size()) {
        out.file = context.files[location.file];
        out.line = location.line;
      }
    }
  }
  if (context.launch) {
    out.block = unfold(fault.block, context.launch->grid);
    out.thread = unfold(fault.thread, context.launch->block);
  }

  switch (fault.kind) {
    case FaultKind::out_of_bounds:
      tell_out_of_bounds(fault, context, out);
      break;
    case FaultKind::uninitialised_read:
      tell_uninitialised(fault, context, out);
      break;
    case FaultKind::misaligned:
      tell_misaligned(fault, context, out);
      break;
    case FaultKind::barrier_divergence:
      out.what = with_note("not all threads of the block reach the same barrier", fault.note);
      out.hint =
          "Move __syncthreads() out of the branch or loop, and do not return before it: every thread of the "
          "block "
          "must reach the same one.";
      break;
    case FaultKind::bad_mask:
      out.what = with_note("the mask of a warp operation names lanes that do not take part", fault.note);
      out.hint =
          "Build the mask before the branch, with __ballot_sync or __activemask, from the lanes that really "
          "come.";
      break;
    case FaultKind::endless_loop:
      out.what = with_note("the kernel does not end", fault.note);
      out.hint =
          "Check that the loop's condition changes in each turn, and that what it waits for can still "
          "happen.";
      break;
    case FaultKind::stack_overflow:
      out.what = with_note("the thread's stack is full: functions call each other too deeply", fault.note);
      out.hint =
          "Check that the recursion ends, or write it as a loop: a thread's stack is small, and in slow memory.";
      break;
    case FaultKind::trap:
      out.what = with_note("the kernel stopped itself", fault.note);
      out.hint = "An assert failed or __trap() was reached: look at the condition on this line.";
      break;
    case FaultKind::bad_launch:
      out.what = with_note("the launch was refused", fault.note);
      out.hint =
          "Check the grid, the block (1 to 1024 threads) and the dynamic shared bytes between <<< and >>>.";
      break;
    case FaultKind::invalid_call:
      out.what = with_note("a call through a pointer to no function", fault.note);
      out.hint =
          "Take the address of a __device__ function in device code; a host function's address means nothing "
          "there.";
      break;
    case FaultKind::bad_texture:
      out.what = fmt::format("{:#x} is no texture or surface", fault.address);
      out.hint =
          "Create the object before the launch, destroy it behind the last one, and give it to the kernel by "
          "value.";
      break;
    case FaultKind::bad_free:
      out.what = "free() or delete of a pointer that malloc() or new did not give, or that was freed before";
      out.where = inside_text(range_of(fault.address, context.buffers), fault.address);
      out.hint =
          "Free each piece once, with the pointer as it was given; what cudaMalloc gave is for cudaFree on "
          "the "
          "host.";
      break;
    case FaultKind::bad_mbarrier:
      out.what = with_note("an mbarrier is not used as it was set up", fault.note);
      out.hint =
          "Let one thread initialise it with the number of arrivals per phase, then __syncthreads(); each "
          "phase needs exactly "
          "that many, and all the bytes that were announced.";
      break;
    case FaultKind::race:
    case FaultKind::race_same_value:
      tell_race(fault, context, out);
      break;
  }
  return out;
}

}  // namespace fusebox::sim
