#include <algorithm>

#include "grader/simulator/exec/decode/loaded_module.h"
#include "grader/simulator/exec/decode/translator.h"
#include "grader/simulator/exec/instructions/collectives.h"
#include "grader/simulator/exec/instructions/print.h"
#include "grader/simulator/exec/memory/device_heap.h"
#include "grader/simulator/exec/program/program.h"

namespace fusebox::sim {

bool Translator::control(Step& step) {
  const ptx::Instruction& i = *current_;
  switch (i.opcode) {
    case Opcode::bra:
      step.kind = StepKind::branch;
      step.target = target(i.operands.at(0));
      return true;
    case Opcode::brx:
      return indexed_branch(step);
    case Opcode::ret:
      step.kind = StepKind::ret;
      return true;
    case Opcode::exit:
      step.kind = StepKind::exit;
      return true;
    case Opcode::call:
      return call(step);
    default:  // trap, brkpt
      step.kind = StepKind::trap;
      return true;
  }
}

bool Translator::indexed_branch(Step& step) {
  const ptx::Instruction& i = *current_;
  step.kind = StepKind::indexed_branch;
  step.a = source(i.operands.at(0), 4);
  for (const auto& [name, labels] : function_.branch_targets) {
    if (name != i.operands.at(1).name) continue;
    std::vector<std::uint32_t> table;
    for (const std::string& label : labels) {
      ptx::Operand operand;
      operand.name = label;
      table.push_back(target(operand));
    }
    step.extra = static_cast<std::uint32_t>(program_.branch_tables.size());
    program_.branch_tables.push_back(std::move(table));
    return true;
  }
  throw Unsupported{"`" + i.name() + "` without its table of targets"};
}

/// The few functions that the CUDA runtime brings to the device.
bool Translator::system_call(Step& step, const std::string& name, const std::vector<FramePlace>& arguments,
                             const std::vector<FramePlace>& results) {
  if (name == "vprintf" && arguments.size() == 2 && results.size() == 1) {
    step.kind = StepKind::plain;
    step.run = device_print;
    step.d = results[0].offset;
  } else if (name == "malloc" && arguments.size() == 1 && results.size() == 1) {
    step.kind = StepKind::plain;
    step.run = device_malloc;
    step.d = results[0].offset;
  } else if (name == "free" && arguments.size() == 1 && results.empty()) {
    step.kind = StepKind::plain;
    step.run = device_free;
  } else if (name == "__assertfail" && arguments.size() == 5) {
    step.kind = StepKind::trap;
  } else {
    return false;
  }
  for (std::size_t k = 0; k < arguments.size() && k < 4; ++k) step.data[k] = arguments[k].offset;
  return true;
}

bool Translator::call(Step& step) {
  const ptx::Instruction& i = *current_;
  step.kind = StepKind::call;
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
    step.a = source(callee, 8);
    site.actual_arguments = places(arguments);
    site.actual_results = places(results);
    step.extra = static_cast<std::uint32_t>(program_.calls.size());
    program_.calls.push_back(std::move(site));
    return true;
  }
  site.callee = loaded_.module().find(callee.name);
  if (site.callee != nullptr && site.callee->declared_only &&
      system_call(step, callee.name, places(arguments), places(results)))
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
  layout.place_variables();
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
  step.extra = static_cast<std::uint32_t>(program_.calls.size());
  program_.calls.push_back(std::move(site));
  return true;
}

bool Translator::collective(Step& step) {
  const ptx::Instruction& i = *current_;
  const auto& o = i.operands;
  auto need = [&](std::size_t count) {
    if (o.size() != count) throw Unsupported{"`" + i.name() + "` with these operands"};
  };
  if (i.opcode == Opcode::activemask) {
    need(1);
    step.run = active_mask;
    step.d = destination(o[0], 4);
    return true;
  }
  const bool shuffle = i.opcode == Opcode::shfl, vote = i.opcode == Opcode::vote;
  if (!i.has("sync")) throw Unsupported{"`" + i.name() + "` without .sync, which sm_70 and newer lack"};
  step.kind = StepKind::warp_sync;
  need(shuffle ? 5 : i.opcode == Opcode::elect ? 2 : 3);
  step.c = source(o.back(), 4);
  if (vote && !i.has("ballot")) {
    step.d = predicate(o[0]);
  } else if (o[0].kind == ptx::Operand::Kind::predicate_pair) {
    if (o[0].elements[0].name != "_") step.d = destination(o[0].elements[0], 4);
    step.e = predicate_or_none(o[0].elements[1]);
  } else {
    step.d = destination(o[0], 4);
  }
  switch (i.opcode) {
    case Opcode::shfl:
      step.run = shuffle_handler(i);
      step.a = source(o[1], 4);
      step.b = source(o[2], 4);
      step.data[0] = source(o[3], 4);
      break;
    case Opcode::vote:
      step.run = vote_handler(i);
      step.a = predicate(o[1]);
      step.flag = o[1].negated;
      break;
    case Opcode::match:
      step.run = match_handler(i);
      step.a = source(o[1], i.has("b64") ? 8 : 4);
      break;
    case Opcode::redux:
      step.run = reduce_handler(i);
      step.a = source(o[1], 4);
      break;
    default:
      step.run = elect;
  }
  if (step.run == nullptr) throw Unsupported{"`" + i.name() + "`"};
  return true;
}

bool Translator::warp_barrier(Step& step) {
  const ptx::Instruction& i = *current_;
  if (i.opcode != Opcode::bar || !i.has("warp")) return false;
  if (i.operands.size() != 1) throw Unsupported{"`" + i.name() + "` with these operands"};
  step.kind = StepKind::warp_sync;
  step.c = source(i.operands[0], 4);
  return true;
}

bool Translator::barrier(Step& step) {
  const ptx::Instruction& i = *current_;
  bool reduces = i.has("red");
  step.kind = i.has("arrive") ? StepKind::arrive : StepKind::barrier;
  step.run = do_nothing;
  std::size_t at = 0;
  if (reduces) {
    if (i.operands.size() < 3) throw Unsupported{"`" + i.name() + "` with these operands"};
    step.extra = i.has("popc") ? 1 : i.has("and") ? 2 : 3;
    if (step.extra == 1)
      step.d = destination(i.operands[0], 4);
    else
      step.d = predicate(i.operands[0]);
    step.e = predicate(i.operands.back());
    step.flag = i.operands.back().negated;
    at = 1;
  }
  std::size_t end = i.operands.size() - (reduces ? 1 : 0);
  step.a = at < end ? source(i.operands[at], 4) : constant(0, 4);
  if (at + 1 < end) step.b = source(i.operands[at + 1], 4);
  return true;
}

}  // namespace fusebox::sim
