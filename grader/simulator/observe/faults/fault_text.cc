#include "grader/simulator/observe/faults/fault_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "grader/report/fault_key.h"
#include "grader/simulator/exec/memory/device_heap.h"
#include "grader/simulator/observe/faults/fault_places.h"
#include "grader/simulator/observe/faults/fault_words.h"
#include "grader/simulator/observe/faults/read_modify_write.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {
namespace {

bool names(const ptx::Operand& operand, const std::string& name) {
  return operand.name == name ||
         std::any_of(operand.elements.begin(), operand.elements.end(),
                     [&](const ptx::Operand& element) { return names(element, name); });
}

/// The line of the instruction that first uses what this one loads; 0: none in the same file does. What the
/// compiler moved out of a loop keeps the line of the declaration before it.
int use_line_of(const ptx::Function& function, std::uint32_t instruction) {
  const ptx::Instruction& load = function.instructions[instruction];
  if (load.operands.empty()) return 0;
  std::vector<std::string> values;
  if (load.operands[0].kind == ptx::Operand::Kind::reg) values.push_back(load.operands[0].name);
  for (const ptx::Operand& element : load.operands[0].elements) values.push_back(element.name);
  for (std::size_t i = instruction + 1; i < function.instructions.size(); ++i) {
    const ptx::Instruction& next = function.instructions[i];
    for (const ptx::Operand& operand : next.operands)
      if (std::any_of(values.begin(), values.end(), [&](const auto& value) { return names(operand, value); }))
        return next.location.file == load.location.file ? next.location.line : 0;
  }
  return 0;
}

/// Its own line, or where the compiler gave it none, as to a load that it moved out of a loop, that of the
/// use.
int line_of(const ptx::Function& function, std::uint32_t instruction) {
  const int own = static_cast<int>(function.instructions[instruction].location.line);
  return own > 0 ? own : use_line_of(function, instruction);
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

/// The kernel's parameter, from 1 on, that holds an address near `address` which no memory of the device has;
/// 0: none does.
std::size_t host_pointer_near(std::uint64_t address, const FaultContext& context) {
  constexpr std::uint64_t kEndOfHost = 1ull << 47;
  const AddressRange& device = context.device;
  const ptx::Function* function = context.launch ? context.launch->function : nullptr;
  if (function == nullptr || device.bytes == 0 || address - device.begin < device.bytes) return 0;
  for (std::size_t i = 0; i < function->parameters.size(); ++i) {
    const ptx::Variable& parameter = function->parameters[i];
    for (std::uint64_t at = parameter.offset; at + 8 <= parameter.offset + parameter.bytes; at += 8) {
      std::uint64_t value = 0;
      if (at + 8 > context.arguments.size()) break;
      std::memcpy(&value, context.arguments.data() + at, sizeof value);
      const bool of_host = value >= kNullZone && value < kEndOfHost && value - device.begin >= device.bytes;
      if (of_host && address >= value && address - value < kNear) return i + 1;
    }
  }
  return 0;
}

/// Accesses behind the end of what the host function allocated itself, as far as the launch went: the size is
/// what is suspicious. False: nothing speaks for that.
bool describe_too_small(const RawFault& fault, const NamedRange& range, Fault& out) {
  if (!range.allocated || fault.address < range.address || fault.reach <= range.end() || range.bytes == 0)
    return false;
  const std::uint64_t needed = fault.reach - range.address;
  out.buffer = range.name, out.buffer_bytes = range.bytes, out.reach_bytes = needed;
  for (const std::uint64_t element : {2, 4, 8})
    if (needed == range.bytes * element && fault.bytes % element == 0) {
      out.counted_in_elements = true;
      out.where = fmt::format(
          "`{0}` was allocated with {1}, and {2} element{5} of {3} bytes need {4}: was the size counted in elements?",
          range.name, bytes_text(range.bytes), range.bytes, element, needed, range.bytes == 1 ? "" : "s");
      out.hint = "cudaMalloc takes bytes: multiply the number of elements by sizeof of one.";
      return true;
    }
  out.where += fmt::format("; it was allocated with {}, and this launch reaches byte {}",
                           bytes_text(range.bytes), needed);
  out.hint =
      "Allocate elements * sizeof(element) bytes for all that the kernel uses, or compare the index with the number of elements.";
  return true;
}

/// Of global memory: what the pointer was meant to be, as far as its value tells.
void describe_outside_buffers(const RawFault& fault, const FaultContext& context, Fault& out) {
  if (fault.address < kNullZone) {
    out.kind = word_of(FaultKey::null_pointer);
    out.what = access_text(fault) + " through a null pointer";
    out.where = fault.address == 0 ? "null pointer"
                                   : fmt::format("{} from a null pointer", bytes_text(fault.address));
    out.hint = "Pass the kernel a pointer that cudaMalloc filled in, in the order of its parameters.";
    return;
  }
  if (const NamedRange* freed = range_of(fault.address, context.freed);
      freed && !range_of(fault.address, context.buffers)) {
    out.kind = word_of(FaultKey::use_after_free);
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
  if (const std::size_t parameter = host_pointer_near(fault.address, context); parameter != 0) {
    out.kind = word_of(FaultKey::host_address);
    out.what = access_text(fault) + " at an address of the host";
    out.where = fmt::format("parameter {} of the kernel points to no memory of the device", parameter);
    out.hint =
        "Kernels cannot reach the host's memory: copy the array to a buffer of cudaMalloc with cudaMemcpy, and give the kernel that buffer.";
    return;
  }
  if (context.device.bytes != 0 && fault.address - context.device.begin >= context.device.bytes) {
    out.where = "in no memory of the device";
    out.hint =
        "Look at where the pointer comes from: it was never set, belongs to the host, or was computed wrongly.";
    return;
  }
  const std::uint64_t end = fault.address + fault.bytes;
  out.where = outside_text(fault.address, end, context.buffers, "in no buffer");
  if (const NamedRange* nearest = nearest_to(fault.address, end, context.buffers);
      nearest && fault.address < nearest->end() + kNear && describe_too_small(fault, *nearest, out))
    return;
  if (out.where.find("before the start") != std::string::npos)
    out.hint =
        "The index went below zero: look for a subtraction without a check, or an unsigned value that wrapped.";
  else if (out.where.find("across the end") != std::string::npos)
    out.hint =
        "Fewer bytes are left there than one access takes: take what is left behind the last whole piece by a narrower type, and compare with the number of elements that are left.";
  else
    out.hint =
        "Compare the index with the number of elements before the access; the grid may have more threads than there are elements.";
}

void describe_out_of_bounds(const RawFault& fault, const FaultContext& context, Fault& out) {
  out.what = "out-of-bounds " + access_text(fault);
  if (fault.space == Space::global) return describe_outside_buffers(fault, context, out);
  if (fault.space == Space::shared) {
    out.where = outside_text(fault.address, fault.address + fault.bytes, context.shared,
                             "outside the block's shared memory");
    out.hint =
        "Compare the index with the size of the shared array, and the array with the launch's block size and dynamic shared bytes.";
    return;
  }
  out.where = fmt::format("at offset {:#x}", fault.address);
  out.hint =
      fault.space == Space::local && fault.access == AccessKind::atomic
          ? "A local variable is one thread's own, and atomics do not work on it: give them a place in shared or global memory."
          : "Compare the index with the size of the array.";
}

void describe_uninitialised(const RawFault& fault, const FaultContext& context, Fault& out) {
  const bool shared = fault.space == Space::shared;
  out.what = "uninitialised read: " + access_text(fault);
  const NamedRange* range = range_of(fault.address, shared ? context.shared : context.buffers);
  out.where = fault.space == Space::global || shared ? inside_text(range, fault.address)
                                                     : fmt::format("at offset {:#x}", fault.address);
  if (fault.space == Space::global && range != nullptr) out.buffer = range->name;
  out.hint =
      shared
          ? "Shared memory is undefined when a block starts: let a thread write this element, then __syncthreads(), before it is read."
          : "Nothing has written these bytes yet: clear the buffer, or look at which elements the writer skips.";
}

void describe_misaligned(const RawFault& fault, const FaultContext& context, Fault& out) {
  const auto ranges = fault.space == Space::shared ? context.shared : context.buffers;
  out.what = "misaligned " + (fault.note.empty() ? access_text(fault) : fault.note);
  out.where = fmt::format(
      "{}, not a multiple of {}",
      inside_text(fault.space == Space::local ? nullptr : range_of(fault.address, ranges), fault.address),
      fault.bytes);
  out.hint =
      fault.note.empty()
          ? fmt::format(
                "An access of {0} starts at a multiple of {0}: use a narrower type where rows or tails do not.",
                bytes_text(fault.bytes))
          : "Declare the array alignas(128), or alignas(1024) where its rows of 128 bytes are swizzled, and let each of its tiles begin at such a place.";
}

std::string thread_text(const std::array<std::uint32_t, 3>& index) {
  return fmt::format("({})", fmt::join(index, ","));
}

const char* between_text(const RawFault& fault) {
  switch (fault.apart()) {
    case RawFault::Apart::lanes:
      return "lanes";
    case RawFault::Apart::warps:
      return "warps";
    case RawFault::Apart::blocks:
      return "blocks";
  }
  return "";
}

bool is_same_line(const RawFault& fault) {
  const auto line = [](const auto& f) {
    return f.function && f.instruction < f.function->instructions.size()
               ? f.function->instructions[f.instruction].location
               : ptx::Location{};
  };
  return line(fault).line == line(fault.other).line && line(fault).file == line(fault.other).file;
}

const char* barrier_between(const RawFault& fault) {
  return fault.apart() == RawFault::Apart::lanes ? "__syncwarp()" : "__syncthreads()";
}

/// Of two threads of a block whose index differs in y or z alone, and that store by one statement: what its
/// index may lack; in different turns of a loop it may have that, and lack a barrier. Empty: they are no such
/// two.
std::string same_x_hint(const RawFault& fault, const FaultContext& context) {
  if (!context.launch || fault.block != fault.other.block || fault.access != AccessKind::store ||
      fault.other.access != AccessKind::store || !is_same_line(fault))
    return {};
  const auto mine = unfold(fault.thread, context.launch->block),
             theirs = unfold(fault.other.thread, context.launch->block);
  const char axis = mine[1] != theirs[1] ? 'y' : 'z';
  if (mine[0] != theirs[0] || (mine[1] != theirs[1] && mine[2] != theirs[2])) return {};
  return fmt::format(
      "Both threads have threadIdx.x = {0} and differ in threadIdx.{1} alone: where the index of this store has no threadIdx.{1} in it, let it have that, or let one thread write, or launch blocks with one thread in {1}; where they write in different turns of a loop, order the turns with {2}.",
      mine[0], axis, barrier_between(fault));
}

/// What orders two threads of a block.
std::string order_hint(const RawFault& fault, const FaultContext& context) {
  const bool lanes = fault.apart() == RawFault::Apart::lanes;
  const char* barrier = barrier_between(fault);
  if (fault.access == AccessKind::atomic || fault.other.access == AccessKind::atomic)
    return fmt::format("Make every access that can meet atomic, or order the two lines with {}.", barrier);
  if (std::string same = same_x_hint(fault, context); !same.empty()) return same;
  if (fault.access == AccessKind::store && fault.other.access == AccessKind::store && is_same_line(fault))
    return fmt::format(
        "Several threads write one element here: let one thread write it, give each its own, or combine with atomics; where they write in different turns of a loop, order the turns with {}.",
        barrier);
  if (is_read_modify_write(fault))
    return fmt::format(
        "Several threads change one element here, each of them the value that it has read: what others store in between is lost. Combine with atomics (atomicAdd), or give each thread its own; where they do it in different turns of a loop, order the turns with {}.",
        barrier);
  if (fault.space == Space::global)
    return fmt::format(
        "Give each thread its own elements; where one thread hands a value on to another, order the two lines with {}.",
        barrier);
  return lanes
             ? "Lanes of a warp do not run in step by themselves: put __syncwarp() between the two lines."
             : "Put __syncthreads() between the two lines: it must lie on every way from one to the other, loops included.";
}

/// What was not waited for: a wgmma, and no copy.
bool is_wgmma(const RawFault::Other& other) {
  return other.in_flight && other.function != nullptr &&
         other.instruction < other.function->instructions.size() &&
         other.function->instructions[other.instruction].opcode == ptx::Opcode::wgmma;
}

std::string race_hint(const RawFault& fault, const FaultContext& context) {
  if (fault.other.other_proxy)
    return "Bulk copies and wgmma read by the asynchronous proxy, which a barrier alone does not order: let each thread that stored execute fence.proxy.async behind its stores, then __syncthreads().";
  if (is_wgmma(fault.other))
    return "The wgmma may still read it: let its warpgroup execute wgmma.commit_group and wgmma.wait_group first, then __syncthreads() or an mbarrier for all others.";
  if (fault.other.in_flight)
    return "The copy is still on its way: wait for it first (its thread: cp.async.wait_group, cuda::pipeline or __pipeline_wait_prior; then __syncthreads() for all others; a bulk copy: its mbarrier, or cp.async.bulk.wait_group).";
  if (fault.kind == FaultKind::race_same_value) {
    if (std::string same = same_x_hint(fault, context); !same.empty()) return same;
    return fault.access == fault.other.access
               ? "The value is the same this time, and the language does not promise which store counts: let one thread write, or use an atomic."
               : "It changes nothing with these values, and the language does not promise that: write elsewhere, or only what differs.";
  }
  if (fault.other.life == RawFault::Other::Life::begins)
    return "A block's shared memory is there from when the block runs: call cluster.sync() before the first access to another block's.";
  if (fault.other.life == RawFault::Other::Life::ends)
    return "A block's shared memory is gone when the block ends: call cluster.sync() behind the last access to another block's, before any block of the cluster returns.";
  if (fault.block != fault.other.block && fault.space == Space::shared)
    return "Blocks of a cluster run in no order: put cluster.sync() between the two lines, or let the reader wait at an mbarrier of its own at which the writer arrives.";
  if (fault.block != fault.other.block)
    return "Blocks run in no order: give each block its own output, combine with atomics, or split the kernel. To hand data on inside one launch: write, __threadfence(), then an atomic or volatile flag that the reader waits for.";
  return order_hint(fault, context);
}

const char* other_text(const RawFault::Other& other) {
  const char* kinds[] = {"load", "store", "atomic operation"};
  if (!other.in_flight) return kinds[static_cast<int>(other.access)];
  return is_wgmma(other) ? "wgmma" : "asynchronous copy";
}

void describe_race(const RawFault& fault, const FaultContext& context, Fault& out) {
  const bool same_value = fault.kind == FaultKind::race_same_value, shared = fault.space == Space::shared;
  out.kind = word_of(same_value ? FaultKey::race_same_value
                     : shared   ? FaultKey::race_shared
                                : FaultKey::race_global);
  std::string who;
  const bool lives = fault.other.life != RawFault::Other::Life::runs;
  std::string of_block;
  if (context.launch && fault.owner >= 0)
    of_block =
        " of block " + thread_text(unfold(static_cast<std::uint64_t>(fault.owner), context.launch->grid));
  if (lives) {
    who = fault.other.life == RawFault::Other::Life::begins ? "the beginning of that block"
                                                            : "the end of that block";
  } else if (context.launch && fault.other.in_flight && fault.other.thread == fault.thread &&
             fault.other.block == fault.block) {
    who = " by the same thread";
  } else if (context.launch) {
    who = " by thread " + thread_text(unfold(fault.other.thread, context.launch->block));
    if (fault.other.block != fault.block)
      who += " of block " + thread_text(unfold(fault.other.block, context.launch->grid));
  }
  std::string line;
  if (!lives && fault.other.function && fault.other.instruction < fault.other.function->instructions.size()) {
    const ptx::Location& location = fault.other.function->instructions[fault.other.instruction].location;
    const int other = line_of(*fault.other.function, fault.other.instruction);
    if (other > 0 && location.file < context.files.size()) {
      const std::string& file = context.files[location.file];
      if (file == out.file) out.other_line = other;
      line = file == out.file ? fmt::format(" at line {}", other) : fmt::format(" at {}:{}", file, other);
    }
  }
  out.what = fmt::format("race: {}{} and {}{}{} in no order{}", access_text(fault), of_block,
                         lives ? "" : other_text(fault.other), line, who,
                         !same_value                          ? ""
                         : fault.access == fault.other.access ? ", both of the same value"
                                                              : ", but the store changed nothing");
  const NamedRange* range = range_of(fault.address, shared ? context.shared : context.buffers);
  out.where = inside_text(range, fault.address);
  if (!shared && range != nullptr) out.buffer = range->name;
  out.between_stores =
      !fault.other.in_flight && fault.access == AccessKind::store && fault.other.access == AccessKind::store;
  out.between = fault.other.in_flight || fault.other.other_proxy ? "" : between_text(fault);
  out.hint = race_hint(fault, context);
}

std::string with_note(const char* what, const std::string& note) {
  return note.empty() ? what : fmt::format("{}: {}", what, note);
}

}  // namespace

Fault describe(const RawFault& fault, const FaultContext& context) {
  Fault out;
  const FaultWords& words = words_of(fault.kind);
  out.kind = word_of(words.key);
  out.count = fault.count;
  const ptx::Function* function = fault.function;
  if (!function && context.launch) function = context.launch->function;
  if (function) {
    out.kernel = function->demangled.empty() ? function->name : function->demangled;
    if (fault.kind != FaultKind::bad_launch && fault.instruction < function->instructions.size()) {
      const ptx::Location& location = function->instructions[fault.instruction].location;
      const int line = line_of(*function, fault.instruction);
      if (line > 0 && location.file < context.files.size()) {
        out.file = context.files[location.file];
        out.line = line;
        if (fault.access == AccessKind::load) out.use_line = use_line_of(*function, fault.instruction);
      }
    }
  }
  if (context.launch) {
    out.block = unfold(fault.block, context.launch->grid);
    out.thread = unfold(fault.thread, context.launch->block);
  }

  switch (fault.kind) {
    case FaultKind::out_of_bounds:
      describe_out_of_bounds(fault, context, out);
      break;
    case FaultKind::uninitialised_read:
      describe_uninitialised(fault, context, out);
      break;
    case FaultKind::misaligned:
      describe_misaligned(fault, context, out);
      break;
    case FaultKind::bad_texture:
      out.what = fmt::format("{:#x} is no texture or surface", fault.address);
      out.hint =
          "Create the object before the launch, destroy it behind the last one, and give it to the kernel by value.";
      break;
    case FaultKind::bad_free:
      out.what = "free() or delete of a pointer that malloc() or new did not give, or that was freed before";
      out.where = inside_text(range_of(fault.address, context.buffers), fault.address);
      out.hint =
          "Free each piece once, with the pointer as it was given; what cudaMalloc gave is for cudaFree on the host.";
      break;
    case FaultKind::race:
    case FaultKind::race_same_value:
      describe_race(fault, context, out);
      break;
    case FaultKind::not_a_number:
      out.what = fault.note;
      out.hint = words.hint;
      break;
    case FaultKind::unset_register:
      out.kernel.clear();  // it is so in every thread
      [[fallthrough]];
    default:
      out.what = with_note(words.what, fault.note);
      out.hint = words.hint;
      break;
  }
  return out;
}

}  // namespace fusebox::sim
