#include <algorithm>

#include "grader/simulator/exec/decode/loaded_module.h"
#include "grader/simulator/exec/decode/translator.h"
#include "grader/simulator/exec/instructions/collectives.h"
#include "grader/simulator/exec/instructions/print.h"
#include "grader/simulator/exec/memory/device_heap.h"
#include "grader/simulator/exec/program/program.h"

namespace fusebox::sim {

bool Translator::control(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  switch (i.opcode) {
    case Opcode::bra:
      decoded.kind = InstructionKind::branch;
      decoded.target = target(i.operands.at(0));
      return true;
    case Opcode::brx:
      return indexed_branch(decoded);
    case Opcode::ret:
      decoded.kind = InstructionKind::ret;
      return true;
    case Opcode::exit:
      decoded.kind = InstructionKind::exit;
      return true;
    case Opcode::call:
      return call(decoded);
    default:  // trap, brkpt
      decoded.kind = InstructionKind::trap;
      return true;
  }
}

bool Translator::indexed_branch(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  decoded.kind = InstructionKind::indexed_branch;
  decoded.a = source(i.operands.at(0), 4);
  for (const auto& [name, labels] : function_.branch_targets) {
    if (name != i.operands.at(1).name) continue;
    std::vector<std::uint32_t> table;
    for (const std::string& label : labels) {
      ptx::Operand operand;
      operand.name = label;
      table.push_back(target(operand));
    }
    decoded.extra = static_cast<std::uint32_t>(program_.branch_tables.size());
    program_.branch_tables.push_back(std::move(table));
    return true;
  }
  throw Unsupported{"`" + i.name() + "` without its table of targets"};
}

/// The few functions that the CUDA runtime brings to the device.
bool Translator::system_call(DecodedInstruction& decoded, const std::string& name,
                             const std::vector<FramePlace>& arguments,
                             const std::vector<FramePlace>& results) {
  if (name == "vprintf" && arguments.size() == 2 && results.size() == 1) {
    decoded.kind = InstructionKind::plain;
    decoded.run = device_print;
    decoded.d = results[0].offset;
  } else if (name == "malloc" && arguments.size() == 1 && results.size() == 1) {
    decoded.kind = InstructionKind::plain;
    decoded.run = device_malloc;
    decoded.d = results[0].offset;
  } else if (name == "free" && arguments.size() == 1 && results.empty()) {
    decoded.kind = InstructionKind::plain;
    decoded.run = device_free;
  } else if (name == "__assertfail" && arguments.size() == 5) {
    decoded.kind = InstructionKind::trap;
  } else {
    return false;
  }
  for (std::size_t k = 0; k < arguments.size() && k < 4; ++k) decoded.data[k] = arguments[k].offset;
  return true;
}

bool Translator::call(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  decoded.kind = InstructionKind::call;
  std::size_t at = 0;
  std::vector<ptx::Operand> results, arguments;
  if (i.operands.size() > at && i.operands[at].kind == ptx::Operand::Kind::vector)
    results = i.operands[at++].elements;
  if (i.operands.size() <= at) throw Unsupported{"`" + i.name() + "` of nothing"};
  const ptx::Operand& callee = i.operands[at++];
  if (i.operands.size() > at && i.operands[at].kind == ptx::Operand::Kind::vector)
    arguments = i.operands[at].elements;
  auto places = [&](const std::vector<ptx::Operand>& operands) {
    std::vector<FramePlace> list;
    for (const ptx::Operand& operand : operands) {
      auto mine = in_frame_.find(operand.name);
      if (mine == in_frame_.end()) throw Unsupported{"a call with a register as argument"};
      list.push_back(mine->second);
    }
    return list;
  };
  CallSite site;
  if (callee.kind == ptx::Operand::Kind::reg) {
    decoded.a = source(callee, 8);
    site.actual_arguments = places(arguments);
    site.actual_results = places(results);
    decoded.extra = static_cast<std::uint32_t>(program_.calls.size());
    program_.calls.push_back(std::move(site));
    return true;
  }
  site.callee = loaded_.module().find(callee.name);
  if (site.callee != nullptr && site.callee->declared_only &&
      system_call(decoded, callee.name, places(arguments), places(results)))
    return true;
  if (callee.name.starts_with("__cuda_syscall_") || callee.name.starts_with("__cudaCDP"))
    throw Unsupported{"dynamic parallelism, a launch by device code"};
  if (site.callee == nullptr || site.callee->declared_only)
    throw Unsupported{"a call of `" + callee.name + "`, which this module does not define"};
  if (site.callee->parameters.size() != arguments.size() || site.callee->returns.size() != results.size())
    throw Unsupported{"a call of `" + callee.name + "` with another number of arguments"};
  // The callee's variables are laid out by its own translator, in the same order: locals, call parameters,
  // formals, returns.
  Translator layout(loaded_, *site.callee);
  layout.place_shared_variables();
  layout.place_local_variables();
  auto connect = [&](const std::vector<FramePlace>& actual, const std::vector<FramePlace>& formal,
                     std::vector<CallSite::Argument>& list, bool inward) {
    for (std::size_t k = 0; k < actual.size(); ++k) {
      if (actual[k].bytes != formal[k].bytes)
        throw Unsupported{"a call of `" + callee.name + "` with arguments of other sizes"};
      list.push_back({inward ? actual[k].offset : formal[k].offset,
                      inward ? formal[k].offset : actual[k].offset, actual[k].bytes});
    }
  };
  connect(places(arguments), layout.program_.parameters, site.arguments, true);
  connect(places(results), layout.program_.returns, site.results, false);
  decoded.extra = static_cast<std::uint32_t>(program_.calls.size());
  program_.calls.push_back(std::move(site));
  return true;
}

bool Translator::collective(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  const auto& o = i.operands;
  auto need = [&](std::size_t count) {
    if (o.size() != count) throw Unsupported{"`" + i.name() + "` with these operands"};
  };
  if (i.opcode == Opcode::activemask) {
    need(1);
    decoded.run = active_mask;
    decoded.d = destination(o[0], 4);
    return true;
  }
  const bool shuffle = i.opcode == Opcode::shfl, vote = i.opcode == Opcode::vote;
  if (!i.has("sync")) throw Unsupported{"`" + i.name() + "` without .sync, which sm_70 and newer lack"};
  decoded.kind = InstructionKind::warp_sync;
  need(shuffle ? 5 : i.opcode == Opcode::elect ? 2 : 3);
  decoded.c = source(o.back(), 4);
  if (vote && !i.has("ballot")) {
    decoded.d = predicate(o[0]);
    decoded.width = 0;
  } else if (o[0].kind == ptx::Operand::Kind::predicate_pair) {
    if (o[0].elements[0].name != "_") decoded.d = destination(o[0].elements[0], 4);
    decoded.e = predicate_or_none(o[0].elements[1]);
  } else {
    decoded.d = destination(o[0], 4);
  }
  decoded.bytes = 4;
  switch (i.opcode) {
    case Opcode::shfl:
      decoded.run = shuffle_handler(i);
      decoded.a = source(o[1], 4);
      decoded.b = source(o[2], 4);
      decoded.data[0] = source(o[3], 4);
      break;
    case Opcode::vote:
      decoded.run = vote_handler(i);
      decoded.a = predicate(o[1]);
      decoded.bytes = 0;
      decoded.flag = o[1].negated;
      break;
    case Opcode::match:
      decoded.run = match_handler(i);
      decoded.bytes = i.has("b64") ? 8 : 4;
      decoded.a = source(o[1], decoded.bytes);
      break;
    case Opcode::redux:
      decoded.run = reduce_handler(i);
      decoded.a = source(o[1], 4);
      break;
    default:
      decoded.run = elect;
  }
  if (decoded.run == nullptr) throw Unsupported{"`" + i.name() + "`"};
  return true;
}

bool Translator::warp_barrier(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  if (i.opcode != Opcode::bar || !i.has("warp")) return false;
  if (i.operands.size() != 1) throw Unsupported{"`" + i.name() + "` with these operands"};
  decoded.kind = InstructionKind::warp_sync;
  decoded.c = source(i.operands[0], 4);
  return true;
}

bool Translator::barrier(DecodedInstruction& decoded) {
  const ptx::Instruction& i = *current_;
  bool reduces = i.has("red");
  decoded.kind = i.has("arrive") ? InstructionKind::arrive : InstructionKind::barrier;
  decoded.run = do_nothing;
  std::size_t at = 0;
  if (reduces) {
    if (i.operands.size() < 3) throw Unsupported{"`" + i.name() + "` with these operands"};
    decoded.extra = i.has("popc") ? 1 : i.has("and") ? 2 : 3;
    if (decoded.extra == 1)
      decoded.d = destination(i.operands[0], 4);
    else
      decoded.d = predicate(i.operands[0]);
    decoded.e = predicate(i.operands.back());
    decoded.flag = i.operands.back().negated;
    at = 1;
  }
  std::size_t end = i.operands.size() - (reduces ? 1 : 0);
  decoded.a = at < end ? source(i.operands[at], 4) : constant(0, 4);
  if (at + 1 < end) decoded.b = source(i.operands[at + 1], 4);
  return true;
}

}  // namespace fusebox::sim
