#include "grader/simulator/exec/instructions/warpgroup/warpgroup.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>

#include "grader/simulator/exec/instructions/warpgroup/matrix_descriptor.h"
#include "grader/simulator/exec/instructions/warpgroup/tensor_product.h"
#include "grader/simulator/exec/memory/access.h"
#include "grader/simulator/exec/program/program.h"

namespace fusebox::sim {
namespace {

constexpr std::uint32_t kRows = 16;       // of A and D, for each warp
constexpr std::uint32_t kLineBytes = 32;  // a row of A, a column of B
constexpr std::uint32_t kPiece = 16;      // bytes that lie together, whatever the layout
constexpr LaneMask kFullWarp = ~LaneMask{0};

using Line = std::array<std::uint8_t, kLineBytes>;

std::string line_of(const Program& program, std::uint32_t at) {
  const std::int32_t line = program.function->instructions[at].location.line;
  return line > 0 ? " at line " + std::to_string(line) : "";
}

void misuse(Warp& w, const DecodedInstruction& s, LaneMask lanes, std::string note) {
  RawFault fault;
  fault.kind = FaultKind::bad_wgmma;
  fault.instruction = s.instruction;
  fault.function = w.frame->program->function;
  fault.block = w.id.block;
  fault.thread = w.id.warp * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(lanes));
  fault.note = std::move(note);
  w.block->launch->faults->add(fault);
}

Warpgroup& group_of(Warp& w) {
  std::vector<Warpgroup>& all = w.block->warpgroups;
  if (all.empty()) all.resize((w.block->warps.size() + Warpgroup::kWarps - 1) / Warpgroup::kWarps);
  return all[w.id.warp / Warpgroup::kWarps];
}
Warpgroup::Member& member_of(Warp& w) { return group_of(w).members[w.id.warp % Warpgroup::kWarps]; }

/// What makes a warpgroup: four whole warps, of which this one is here with all its lanes. Else a fault,
/// after which nothing sensible follows.
bool is_whole(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  if (w.block->stopped) return false;  // by the warp before it
  const std::uint32_t first = w.id.warp / Warpgroup::kWarps * Warpgroup::kWarps;
  const std::uint64_t threads = w.block->launch->info.block.count();
  std::string note;
  if (threads < std::uint64_t{first + Warpgroup::kWarps} * kWarpSize)
    note = "a warpgroup is 128 threads from a multiple of 128 on, and this block ends at thread " +
           std::to_string(threads - 1);
  else if (mask != kFullWarp)
    note = "only " + std::to_string(std::popcount(mask)) +
           " lanes of the warp execute it, which needs all 32 together";
  if (note.empty()) return true;
  misuse(w, s, mask, std::move(note));
  w.block->stopped = true;
  return false;
}

/// All warps of the group execute the same instructions in the same order, whichever comes first.
bool take_step(Warp& w, const DecodedInstruction& s, LaneMask mask, std::uint64_t a = 0,
               std::uint64_t b = 0) {
  if (!is_whole(w, s, mask)) return false;
  Warpgroup& group = group_of(w);
  Warpgroup::Member& member = member_of(w);
  const Warpgroup::Step mine{w.frame->program, s.instruction, a, b};
  const std::uint64_t index = member.steps++ - group.dropped;
  if (index == group.steps.size()) group.steps.push_back(mine);
  const Warpgroup::Step theirs = group.steps[index];
  const auto slowest = std::min_element(group.members.begin(), group.members.end(),
                                        [](const auto& x, const auto& y) { return x.steps < y.steps; });
  for (; group.dropped < slowest->steps; ++group.dropped) group.steps.pop_front();
  if (mine == theirs) return true;
  const bool elsewhere = mine.program != theirs.program || mine.at != theirs.at;
  misuse(w, s, mask,
         elsewhere ? "another warp of the warpgroup executes `" +
                         theirs.program->function->instructions[theirs.at].name() + "`" +
                         line_of(*theirs.program, theirs.at) + " in its place"
                   : "the warps of the warpgroup have different matrix descriptors");
  w.block->stopped = true;
  return false;
}

/// Pieces of shared memory that a warp reads for one wgmma.
class Reader {
 public:
  /// `again`: they are another warp's too, and hardware reads them once.
  Reader(Warp& w, const DecodedInstruction& s, bool again) : w_(w), s_(s), again_(again) {}
  ~Reader() { notify(); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// 16 bytes; zeros where that is a fault.
  void read(std::uint32_t at, std::uint8_t* to) {
    const int lane = std::popcount(lanes_);
    const std::uint8_t* from =
        use_bytes(w_, s_, lane, own_place(w_, Space::shared, at), {AccessKind::load, kPiece, kPiece}).data;
    if (from == nullptr) return;
    std::memcpy(to, from, kPiece);
    address_[lane] = at;
    lanes_ |= LaneMask{1} << lane;
    if (lanes_ == kFullWarp) notify();
  }

 private:
  void notify() {
    notify_access(w_, s_,
                  {Space::shared, AccessKind::load, kPiece, lanes_, address_, AddressPattern::any, 0,
                   again_ ? AccessPath::tensor_again : AccessPath::tensor});
    lanes_ = 0;
  }
  Warp& w_;
  const DecodedInstruction& s_;
  bool again_;
  std::uint64_t address_[kWarpSize] = {};
  LaneMask lanes_ = 0;
};

/// Lines [first, first + count) of a factor in shared memory, the elements along k one after the other.
void read_factor(Reader& reader, const MatrixDescriptor& from, bool k_apart, std::uint32_t first,
                 std::uint32_t count, Line* lines) {
  if (!k_apart) {
    for (std::uint32_t line = 0; line < count; ++line)
      for (std::uint32_t half = 0; half < 2; ++half)
        reader.read(from.piece_along_k(first + line, half), &lines[line][std::size_t{kPiece} * half]);
    return;
  }
  for (std::uint32_t eight = 0; eight < count; eight += 8)
    for (std::uint32_t k = 0; k < kLineBytes / 2; ++k) {
      std::uint8_t piece[kPiece] = {};
      reader.read(from.piece_across((first + eight) / 8, k), piece);
      for (std::uint32_t i = 0; i < 8; ++i)
        std::memcpy(&lines[eight + i][std::size_t{2} * k], &piece[std::size_t{2} * i], 2);
    }
}

/// A in registers: as mma has it, four bytes of a row in each register.
void gather_rows(Warp& w, const std::vector<std::uint32_t>& registers, Line* rows) {
  for (std::uint32_t i = 0; i < registers.size(); ++i)
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
      std::memcpy(&rows[lane / 4 + 8 * (i % 2)][4 * (lane % 4) + kPiece * (i / 2)],
                  w.lanes_of<std::uint32_t>(registers[i]) + lane, 4);
}

std::uint32_t element_of(const Line& line, MatrixElement type, std::uint32_t k) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &line[k * bits_of(type) / 8], bits_of(type) / 8);
  return bits;
}

/// Each element of D that the warp has, as a function of its row, its column and what it was.
template <class F>
void each_sum(Warp& w, const WarpgroupOp& op, F f) {
  const bool halves = op.d_type == MatrixElement::f16;
  for (std::uint32_t i = 0; i < op.n / 2; ++i) {  // of the n / 2 elements of a lane
    auto* const words = w.lanes_of<std::uint32_t>(op.d_registers[halves ? i / 2 : i]);
    const std::uint32_t shift = halves ? 16 * (i % 2) : 0, mask = halves ? 0xffffu : ~0u;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const std::uint32_t row = lane / 4 + 8 * (i / 2 % 2), column = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
      const std::uint32_t value = f(row, column, words[lane] >> shift & mask);
      words[lane] = (words[lane] & ~(mask << shift)) | value << shift;
    }
  }
}

void multiply_floats(Warp& w, const WarpgroupOp& op, const Line* rows, const Line* columns, bool keeps) {
  const std::uint32_t k_count = 8 * kLineBytes / bits_of(op.a.type);
  const auto take_apart = [&](const Line* lines, std::uint32_t count, const WarpgroupOp::Factor& factor) {
    std::vector<TensorFactor> list;
    list.reserve(std::size_t{count} * k_count);
    for (std::uint32_t line = 0; line < count; ++line)
      for (std::uint32_t k = 0; k < k_count; ++k) {
        list.push_back(tensor_factor(element_of(lines[line], factor.type, k), factor.type));
        if (factor.negated) list.back().negate();
      }
    return list;
  };
  const std::vector<TensorFactor> a = take_apart(rows, kRows, op.a), b = take_apart(columns, op.n, op.b);
  std::vector<std::uint32_t> sums(std::size_t{kRows} * op.n);
  if (keeps)
    each_sum(w, op, [&](std::uint32_t r, std::uint32_t c, std::uint32_t was) {
      return sums[std::size_t{r} * op.n + c] = was;
    });
  add_tensor_product({a, b, k_count, op.a.type}, op.d_type, sums);
  each_sum(w, op,
           [&](std::uint32_t r, std::uint32_t c, std::uint32_t) { return sums[std::size_t{r} * op.n + c]; });
}

void multiply_integers(Warp& w, const WarpgroupOp& op, const Line* rows, const Line* columns, bool keeps) {
  const auto value = [](std::uint8_t bits, MatrixElement type) {
    return type == MatrixElement::s8 ? std::int32_t{static_cast<std::int8_t>(bits)} : std::int32_t{bits};
  };
  each_sum(w, op, [&](std::uint32_t r, std::uint32_t c, std::uint32_t was) {
    std::int64_t sum = keeps ? static_cast<std::int32_t>(was) : 0;
    for (std::uint32_t k = 0; k < kLineBytes; ++k) {
      const std::uint8_t a = rows[r][k], b = columns[c][k];
      sum += op.a.type == MatrixElement::b1 ? std::popcount(static_cast<unsigned>(a & b))
                                            : value(a, op.a.type) * value(b, op.b.type);
    }
    if (op.saturate) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
    return static_cast<std::uint32_t>(sum);
  });
}

std::uint64_t descriptor_of(Warp& w, std::uint32_t reg) {
  return reg == kNoOperand ? 0 : w.lanes_of<std::uint64_t>(reg)[0];
}

bool is_uniform(Warp& w, std::uint32_t reg) {
  if (reg == kNoOperand) return true;
  const std::uint64_t* lanes = w.lanes_of<std::uint64_t>(reg);
  return std::all_of(lanes, lanes + kWarpSize, [&](std::uint64_t bits) { return bits == lanes[0]; });
}

constexpr std::uint32_t kSlot = 64;  // bytes: registers begin at multiples

/// Remembers which registers are the wgmma's until it has been waited for.
void put_in_flight(Warp& w, const DecodedInstruction& s, const WarpgroupOp& op) {
  Warpgroup::Member& member = member_of(w);
  if (member.frame != w.frame || member.in_flight.empty()) {
    member.frame = w.frame;
    member.in_flight.assign(w.frame->program->register_bytes / kSlot + 1, {});
  }
  for (const std::uint32_t reg : op.a_registers)
    member.in_flight[reg / kSlot] = {Warpgroup::Use::reads, member.groups, s.instruction};
  for (const std::uint32_t reg : op.d_registers)
    member.in_flight[reg / kSlot] = {Warpgroup::Use::accumulates, member.groups, s.instruction};
}

/// A mov hands on what it finds: compilers copy accumulators between one wgmma and the next, and the
/// assembler undoes that. Whatever else reads a sum or overwrites a register is a fault, told once for each
/// wgmma.
void look_at_registers(Warp& w, const DecodedInstruction& s, LaneMask mask,
                       const WatchedInstruction& watched) {
  using Use = Warpgroup::Use;
  std::vector<Warpgroup::InFlight>& in_flight = member_of(w).in_flight;
  const auto tell = [&](const Warpgroup::InFlight& of, const char* what) {
    misuse(w, s, mask,
           std::string(what) + " the wgmma" + line_of(*w.frame->program, of.at) +
               " before wgmma.wait_group has waited for it");
    const std::uint32_t at = of.at;
    for (Warpgroup::InFlight& reg : in_flight)
      if (reg.at == at) reg = {};
  };
  Warpgroup::InFlight moved;
  for (const std::uint32_t reg : watched.reads) {
    const Warpgroup::InFlight& of = in_flight[reg / kSlot];
    if (of.use != Use::accumulates && of.use != Use::copy) continue;
    if (watched.moves)
      moved = {Use::copy, of.group, of.at};
    else
      tell(of, "it reads a sum of");
  }
  for (const std::uint32_t reg : watched.writes) {
    Warpgroup::InFlight& of = in_flight[reg / kSlot];
    if (moved.use == Use::none && of.use == Use::accumulates)
      tell(of, "it overwrites a sum of");
    else if (moved.use == Use::none && of.use == Use::reads)
      tell(of, "it overwrites a part of A of");
    else if (of.use != Use::accumulates || moved.use == Use::none)
      of = moved;
  }
}

void notify_operands(Warp& w, CopyUse use, std::uint32_t left) {
  for (Observer* observer : w.block->launch->observers) observer->warpgroup_operands(w.id, use, left);
}

/// What a warp has waited for is its own again.
void complete(Warp& w, std::uint32_t left) {
  Warpgroup::Member& member = member_of(w);
  for (Warpgroup::InFlight& reg : member.in_flight)
    if (reg.use != Warpgroup::Use::none && reg.group + left < member.groups) reg = {};
  member.fenced = false;
  notify_operands(w, CopyUse::wait, left);
}

}  // namespace

void warpgroup_multiply(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const WarpgroupOp& op = w.frame->program->warpgroup_ops[s.extra];
  if (!is_whole(w, s, mask)) return;
  if (!is_uniform(w, op.a.descriptor) || !is_uniform(w, op.b.descriptor)) {
    misuse(w, s, mask, "the lanes of a warp have different matrix descriptors");
    w.block->stopped = true;
    return;
  }
  const std::uint64_t a = descriptor_of(w, op.a.descriptor), b = descriptor_of(w, op.b.descriptor);
  if (!take_step(w, s, mask, a, b)) return;
  const Warpgroup::Member& member = member_of(w);
  if (!member.ever_fenced)
    misuse(w, s, mask, "no wgmma.fence stands before the first");
  else if (!member.fenced && s.flag)
    misuse(w, s, mask, "its registers have been written since the last wgmma.fence");
  bool keeps = !op.begins_with_zero;
  if (op.keeps_d != kNoOperand) keeps = (w.predicate(op.keeps_d) & 1) != (op.keeps_d_negated ? 1u : 0u);
  const std::uint32_t rank = w.id.warp % Warpgroup::kWarps;
  Line rows[kRows] = {};
  std::vector<Line> columns(op.n);
  if (op.a.descriptor == kNoOperand) {
    gather_rows(w, op.a_registers, rows);
  } else {
    Reader reader(w, s, false);
    read_factor(reader, MatrixDescriptor::of(a), op.a.k_apart, kRows * rank, kRows, rows);
  }
  {
    Reader reader(w, s, rank != 0);
    read_factor(reader, MatrixDescriptor::of(b), op.b.k_apart, 0, op.n, columns.data());
  }
  if (op.d_type == MatrixElement::s32)
    multiply_integers(w, op, rows, columns.data(), keeps);
  else
    multiply_floats(w, op, rows, columns.data(), keeps);
  put_in_flight(w, s, op);
}

void warpgroup_fence(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  if (!take_step(w, s, mask)) return;
  Warpgroup::Member& member = member_of(w);
  member.fenced = member.ever_fenced = true;
}

void warpgroup_commit(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  if (!take_step(w, s, mask)) return;
  ++member_of(w).groups;
  notify_operands(w, CopyUse::commit, 0);
}

LaneMask warpgroup_ready(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  Warpgroup& group = group_of(w);
  Warpgroup::Member& member = member_of(w);
  if (!member.waits) {
    if (!take_step(w, s, mask)) return 0;
    member.waits = true;
    const auto here = [&](const Warpgroup::Member& m) { return m.steps >= member.steps; };
    if (std::all_of(group.members.begin(), group.members.end(), here)) {
      const std::uint32_t first = w.id.warp - w.id.warp % Warpgroup::kWarps;
      for (std::uint32_t i = 0; i < Warpgroup::kWarps; ++i)
        complete(w.block->warps[first + i], static_cast<std::uint32_t>(s.immediate));
      for (Observer* observer : w.block->launch->observers) observer->warpgroup_met(w.id);
    }
  }
  const auto has_come = [&](const Warpgroup::Member& m) { return m.steps >= member.steps; };
  if (!std::all_of(group.members.begin(), group.members.end(), has_come)) return 0;
  member.waits = false;
  return mask;
}

void watched_instruction(Warp& w, const DecodedInstruction& s, LaneMask mask) {
  const Program& program = *w.frame->program;
  const WatchedInstruction& watched = program.watched[program.watched_at[s.instruction]];
  if (!w.block->warpgroups.empty() && member_of(w).frame == w.frame) look_at_registers(w, s, mask, watched);
  watched.plain(w, s, mask);
}

}  // namespace fusebox::sim
