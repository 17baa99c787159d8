#include <algorithm>

#include "grader/simulator/exec/decode/translator.h"
#include "grader/simulator/exec/instructions/async/async_copy.h"
#include "grader/simulator/exec/instructions/async/bulk_copy.h"
#include "grader/simulator/exec/instructions/async/mbarrier.h"
#include "grader/simulator/exec/instructions/async/tensor_copy.h"
#include "grader/simulator/exec/instructions/cluster_ops.h"
#include "grader/simulator/exec/instructions/collectives.h"
#include "grader/simulator/exec/memory/ordering.h"

// mbarrier, cp.async.bulk, and what clusters of blocks bring.

namespace fusebox::sim {
namespace {

bool in_shared(const ptx::Instruction& i) {
  return i.has("shared") || i.has("shared::cta") || i.has("shared::cluster");
}

constexpr const char* kBulkOperations[] = {"add", "min", "max", "inc", "dec", "and", "or", "xor"};

void need_operands(const ptx::Instruction& i, std::size_t min, std::size_t max) {
  if (i.operands.size() < min || i.operands.size() > max)
    throw Unsupported{"`" + i.name() + "` with these operands"};
}

void set_operation(DecodedInstruction& decoded, MbarrierOp operation) {
  decoded.extra = static_cast<std::uint32_t>(operation);
}

}  // namespace

bool Translator::mbarrier(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  const auto& o = i.operands;
  const bool async = i.opcode == Opcode::cp;
  if (async && !(i.has("async") && i.has("mbarrier"))) return false;
  if (!async && i.has("pending_count")) {
    need_operands(i, 2, 2);
    decoded.run = mbarrier_pending;
    decoded.d = destination(o[0], 4);
    decoded.b = source(o[1], 8);
    return true;
  }
  decoded.generic = !in_shared(i);
  decoded.order = i.has("relaxed") ? Order::relaxed : Order::acquire_release;
  if (i.has("test_wait") || i.has("try_wait")) {
    need_operands(i, 3, 4);  // behind the state: how long to wait at most, a hint
    decoded.kind = InstructionKind::wait;
    decoded.run = do_nothing;
    decoded.extra = static_cast<std::uint32_t>(WaitFor::mbarrier);
    decoded.d = predicate(o[0]);
    mbarrier_address(decoded, o[1]);
    decoded.flag = i.has("parity");
    decoded.c = source(o[2], decoded.flag ? 4 : 8);
    return true;
  }
  decoded.run = sim::mbarrier;
  if (async) {
    need_operands(i, 1, 1);
    set_operation(decoded, i.has("noinc") ? MbarrierOp::async_arrive_noinc : MbarrierOp::async_arrive);
    mbarrier_address(decoded, o[0]);
    return true;
  }
  if (!i.has("init") && (i.has("arrive") || i.has("arrive_drop")))
    mbarrier_arrival(decoded);
  else
    mbarrier_update(decoded);
  return true;
}

void Translator::mbarrier_address(DecodedInstruction& decoded, const ptx::Operand& operand) {
  address(decoded, operand);
  decoded.space = Space::shared;
}

/// All but arrivals: init, inval, expect_tx and complete_tx.
void Translator::mbarrier_update(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  const bool only_address = i.has("inval") && (i.has("init") || !i.has("expect_tx"));
  if (!only_address && !i.has("init") && !i.has("expect_tx") && !i.has("complete_tx"))
    throw Unsupported{"`" + i.name() + "`"};
  need_operands(i, only_address ? 1 : 2, only_address ? 1 : 2);
  set_operation(decoded, only_address         ? MbarrierOp::inval
                         : i.has("init")      ? MbarrierOp::init
                         : i.has("expect_tx") ? MbarrierOp::expect_tx
                                              : MbarrierOp::complete_tx);
  mbarrier_address(decoded, i.operands[0]);
  if (!only_address) decoded.b = source(i.operands[1], 4);
}

void Translator::mbarrier_arrival(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  const auto& o = i.operands;
  const bool expects = i.has("expect_tx"), drops = i.has("arrive_drop");
  need_operands(i, expects ? 3 : 1, 3);
  // Without a result it is `arrive [a]` or `arrive [a], count`; with one, `arrive state, [a]`.
  const std::size_t at = o[0].kind == ptx::Operand::Kind::address ? 0 : 1;
  if (at == 1 && o[0].name != "_") decoded.d = destination(o[0], 8);
  need_operands(i, at + 1, 3);
  set_operation(decoded, expects ? (drops ? MbarrierOp::arrive_drop_expect_tx : MbarrierOp::arrive_expect_tx)
                                 : (drops ? MbarrierOp::arrive_drop : MbarrierOp::arrive));
  mbarrier_address(decoded, o[at]);
  if (o.size() > at + 1) decoded.b = source(o[at + 1], 4);
}

bool Translator::bulk(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  const auto& o = i.operands;
  if (!i.has("async") || !i.has("bulk")) return false;
  decoded.run = do_nothing;
  if (const bool waits = i.has("wait_group"); waits || i.has("commit_group")) {
    if (waits && (o.size() != 1 || o[0].kind != ptx::Operand::Kind::integer)) return false;
    decoded.run = use_bulk_copies;
    decoded.extra = static_cast<std::uint32_t>(!waits          ? CopyUse::commit
                                               : i.has("read") ? CopyUse::wait_read
                                                               : CopyUse::wait);
    if (waits) decoded.immediate = o[0].integer;
    return true;
  }
  if (i.has("cp_mask")) throw Unsupported{"`" + i.name() + "`"};
  if (i.has("tensor")) return bulk_tensor(decoded);
  if (i.has("prefetch")) return true;
  // .to.from, in this order.
  std::vector<Space> spaces;
  for (const std::string& modifier : i.modifiers) {
    if (modifier == "global") spaces.push_back(Space::global);
    if (modifier == "shared::cta" || modifier == "shared::cluster") spaces.push_back(Space::shared);
  }
  if (spaces.size() != 2) throw Unsupported{"`" + i.name() + "`"};
  BulkCopy op;
  op.completes = i.has("mbarrier::complete_tx::bytes");
  if (i.has("reduce")) {
    for (const char* name : kBulkOperations)
      if (i.has(name)) op.reduce = bulk_reduction(name, parse_type(i.modifiers.back()));
    if (op.reduce == nullptr) throw Unsupported{"`" + i.name() + "`"};
  }
  std::size_t wanted = op.completes ? 4 : 3;
  if (op.completes == (spaces[0] == Space::global) || o.size() < wanted)
    throw Unsupported{"`" + i.name() + "` with these operands"};
  op.to = bulk_address(o[0], spaces[0]);
  op.from = bulk_address(o[1], spaces[1]);
  op.bytes = source(o[2], 4);
  if (op.completes) op.barrier = bulk_address(o[3], Space::shared);
  if (i.has("multicast::cluster")) {
    if (o.size() <= wanted) throw Unsupported{"`" + i.name() + "` with these operands"};
    op.mask = source(o[wanted], 2);
  }
  decoded.run = bulk_copy;
  decoded.extra = static_cast<std::uint32_t>(program_.bulk_copies.size());
  program_.bulk_copies.push_back(op);
  return true;
}

BulkCopy::Address Translator::bulk_address(const ptx::Operand& operand, Space space) {
  DecodedInstruction part;
  part.space = space;
  address(part, operand);
  if (part.space != space) throw Unsupported{"`" + current_->name() + "` with this address"};
  return {part.a, part.address_width, space, part.immediate};
}

/// A tile of a tensor: [map, {coordinates}] at one end, shared memory at the other.
bool Translator::bulk_tensor(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  const auto& o = i.operands;
  BulkCopy op;
  op.completes = i.has("mbarrier::complete_tx::bytes");
  const bool multicast = i.has("multicast::cluster"), prefetches = i.has("prefetch");
  std::size_t dimensions = 0;
  for (const std::string& modifier : i.modifiers) {
    if (modifier.size() == 2 && modifier[1] == 'd') dimensions = static_cast<std::size_t>(modifier[0] - '0');
    if (modifier.starts_with("im2col") || modifier.starts_with("tile::") || modifier.starts_with("cta_group"))
      throw Unsupported{"`" + i.name() + "`: of tensor copies, tiles (.tile) alone"};
  }
  const std::size_t wanted = (prefetches ? 1 : op.completes ? 3 : 2) + (multicast ? 1 : 0);
  const bool one_way = (prefetches ? 1 : 0) + (op.completes ? 1 : 0) + (i.has("bulk_group") ? 1 : 0) == 1;
  if (o.size() < wanted || !one_way || (multicast && !op.completes))
    throw Unsupported{"`" + i.name() + "` with these operands"};
  const ptx::Operand& tensor = o[op.completes ? 1 : 0];
  if (tensor.elements.size() != 2 || tensor.elements[1].elements.size() != dimensions || dimensions == 0)
    throw Unsupported{"`" + i.name() + "` with these coordinates"};
  for (const ptx::Operand& coordinate : tensor.elements[1].elements) op.at.push_back(source(coordinate, 4));
  ptx::Operand map = tensor;
  map.elements.resize(1);
  (op.completes ? op.from : op.to) = bulk_address(map, Space::global);
  if (!prefetches) (op.completes ? op.to : op.from) = bulk_address(o[op.completes ? 0 : 1], Space::shared);
  if (op.completes) op.barrier = bulk_address(o[2], Space::shared);
  if (multicast) op.mask = source(o[3], 2);
  if (i.has("reduce"))
    for (const char* name : kBulkOperations)
      if (i.has(name)) op.operation = name;
  if (i.has("reduce") && op.operation == nullptr) throw Unsupported{"`" + i.name() + "`"};
  decoded.run = prefetches ? tensor_prefetch : tensor_copy;
  decoded.extra = static_cast<std::uint32_t>(program_.bulk_copies.size());
  program_.bulk_copies.push_back(std::move(op));
  return true;
}

bool Translator::cluster_barrier(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  if (!i.has("cluster")) return false;
  if (i.has("arrive")) {
    decoded.run = cluster_arrive;
    return true;
  }
  if (!i.has("wait")) throw Unsupported{"`" + i.name() + "`"};
  decoded.kind = InstructionKind::wait;
  decoded.extra = static_cast<std::uint32_t>(WaitFor::cluster);
  return true;
}

bool Translator::cluster(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  const auto& o = i.operands;
  const bool maps = i.opcode == Opcode::mapa;
  if (o.size() != (maps ? 3u : 2u) || i.modifiers.empty())
    throw Unsupported{"`" + i.name() + "` with these operands"};
  const std::uint32_t width = type_bytes(parse_type(i.modifiers.back()));
  if (width != 4 && width != 8) throw Unsupported{"`" + i.name() + "`"};
  decoded.generic = !i.has("shared::cluster");
  decoded.run = maps ? map_address : rank_of_address;
  decoded.width = static_cast<std::uint8_t>(width);
  decoded.address_width = static_cast<std::uint8_t>(width);
  decoded.d = destination(o[0], maps ? width : 4);
  decoded.a = source(o[1], width);
  if (maps) decoded.b = source(o[2], 4);
  return true;
}

/// ld and st that may be given an address in another block: where there is a way to make one at all.
void Translator::may_leave_block(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  if (!decoded.generic && !i.has("shared::cluster")) return;
  if (!i.has("shared::cluster") && !loaded_.uses_clusters()) return;
  decoded.target = static_cast<std::uint32_t>(program_.plain_handlers.size());
  program_.plain_handlers.push_back(decoded.run);
  decoded.run = i.opcode == Opcode::st ? cluster_store : cluster_load;
}

bool Translator::async_copy(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  if (!i.has("async")) return false;
  const bool waits = i.has("wait_group");
  if (waits || i.has("commit_group") || i.has("wait_all")) {
    if (waits && (i.operands.size() != 1 || i.operands[0].kind != ptx::Operand::Kind::integer)) return false;
    decoded.run = use_copies;
    decoded.extra = static_cast<std::uint32_t>(waits                   ? CopyUse::wait
                                               : i.has("commit_group") ? CopyUse::commit
                                                                       : CopyUse::wait_all);
    if (waits) decoded.immediate = i.operands[0].integer;
    return true;
  }
  bool known = (i.has("ca") || i.has("cg")) && (i.has("shared") || i.has("shared::cta")) && i.has("global");
  if (!known || i.operands.size() < 3 || i.operands[2].kind != ptx::Operand::Kind::integer) return false;
  std::int64_t bytes = i.operands[2].integer;
  if (bytes != 4 && bytes != 8 && bytes != 16) throw Unsupported{"`" + i.name() + "` of this size"};
  decoded.run = copy_async;
  decoded.bytes = static_cast<std::uint8_t>(bytes);
  DecodedInstruction global;
  global.space = Space::global;
  address(global, i.operands[1]);
  if (global.address_width != 8 || global.space != Space::global ||
      global.immediate != static_cast<std::int32_t>(global.immediate))
    throw Unsupported{"`" + i.name() + "` with this source"};
  decoded.space = Space::shared;
  address(decoded, i.operands[0]);
  decoded.b = global.a;
  decoded.extra = static_cast<std::uint32_t>(global.immediate);
  // Behind the size: how many bytes to read or whether to ignore them, and a cache policy that is only a
  // hint.
  std::size_t hints = i.has("L2::cache_hint") ? 1 : 0;
  if (i.operands.size() > 3 + hints) {
    const ptx::Operand& o = i.operands[3];
    bool is_predicate = o.kind == ptx::Operand::Kind::reg && register_of(o).width == 0;
    if (is_predicate)
      decoded.e = predicate(o);
    else
      decoded.c = source(o, 4);
  }
  return true;
}

}  // namespace fusebox::sim
