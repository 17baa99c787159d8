#include <algorithm>

#include "grader/simulator/exec/print.h"
#include "grader/simulator/exec/translator.h"

namespace fusebox::sim {

bool Translator::control(Step& step) {
  const ptx::Instruction& i = *current_;
  step.run = do_nothing;
  if (i.opcode == "bra") {
    step.kind = StepKind::branch;
    step.target = target(i.operands.at(0));
    return true;
  }
  if (i.opcode == "brx") {
    step.kind = StepKind::indexed_branch;
    step.a = register_of(i.operands.at(0)).offset;
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
  if (i.opcode == "ret" || i.opcode == "exit" || i.opcode == "trap" || i.opcode == "brkpt") {
    step.kind = i.opcode == "ret" ? StepKind::ret : i.opcode == "exit" ? StepKind::exit : StepKind::trap;
    return true;
  }
  return call(step);
}

/// The few functions that the CUDA runtime brings to the device.
bool Translator::system_call(Step& step, const std::string& name, const std::vector<std::uint32_t>& arguments,
                             const std::vector<std::uint32_t>& results) {
  if (name == "vprintf" && arguments.size() == 2 && results.size() == 1) {
    step.kind = StepKind::plain;
    step.run = device_print;
    step.d = results[0];
  } else if (name == "__assertfail" && arguments.size() == 5) {
    step.kind = StepKind::trap;
  } else {
    return false;
  }
  std::copy_n(arguments.begin(), std::min<std::size_t>(arguments.size(), 4), step.data);
  return true;
}

bool Translator::call(Step& step) {
  const ptx::Instruction& i = *current_;
  if (i.opcode != "call") return false;
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
    std::vector<std::uint32_t> list;
    for (const ptx::Operand& operand : operands) {
      auto mine = in_frame_.find(operand.name);
      if (mine == in_frame_.end()) throw Unsupported{"a call with a register as argument"};
      list.push_back(mine->second);
    }
    return list;
  };
  CallSite site;
  if (callee.kind == ptx::Operand::Kind::reg) {
    Slot pointer = register_of(callee);
    if (pointer.width != 8) throw Unsupported{"a call through a pointer of 32 bits"};
    step.a = pointer.offset;
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
  if (site.callee == nullptr || site.callee->declared_only)
    throw Unsupported{"a call of `" + callee.name + "`, which this module does not define"};
  if (site.callee->parameters.size() != arguments.size() || site.callee->returns.size() != results.size())
    throw Unsupported{"a call of `" + callee.name + "` with another number of arguments"};
  // The callee's variables are laid out by its own translator, in the same order: locals, call parameters,
  // formals, returns.
  Translator layout(loaded_, *site.callee);
  layout.place_variables();
  auto connect = [&](const std::vector<ptx::Operand>& actual, const std::vector<ptx::Variable>& formal,
                     std::vector<CallSite::Argument>& list, bool inward) {
    for (std::size_t k = 0; k < actual.size(); ++k) {
      auto mine = in_frame_.find(actual[k].name);
      if (mine == in_frame_.end()) throw Unsupported{"a call with a register as argument"};
      std::uint32_t theirs = layout.in_frame_.at(formal[k].name);
      list.push_back({inward ? mine->second : theirs, inward ? theirs : mine->second,
                      static_cast<std::uint32_t>(formal[k].bytes)});
    }
  };
  connect(arguments, site.callee->parameters, site.arguments, true);
  connect(results, site.callee->returns, site.results, false);
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
  if (i.opcode == "activemask") {
    need(1);
    step.run = active_mask;
    step.d = register_of(o[0]).offset;
    return true;
  }
  if (i.opcode == "bar" && i.has("warp")) {
    need(1);
    step.kind = StepKind::warp_sync;
    step.run = do_nothing;
    step.c = operand(o[0], Type::b32).offset;
    return true;
  }
  bool shuffle = i.opcode == "shfl", vote = i.opcode == "vote", match = i.opcode == "match",
       reduce = i.opcode == "redux";
  if (!shuffle && !vote && !match && !reduce && i.opcode != "elect") return false;
  if (!i.has("sync")) throw Unsupported{"`" + i.name() + "` without .sync, which sm_70 and newer lack"};
  step.kind = StepKind::warp_sync;
  need(shuffle ? 5 : i.opcode == "elect" ? 2 : 3);
  step.c = operand(o.back(), Type::b32).offset;
  if (vote && !i.has("ballot")) {
    step.d = predicate(o[0]);
  } else if (o[0].kind == ptx::Operand::Kind::predicate_pair) {
    if (o[0].elements[0].name != "_") step.d = register_of(o[0].elements[0]).offset;
    step.e = predicate(o[0].elements[1]);
  } else {
    step.d = register_of(o[0]).offset;
  }
  if (shuffle) {
    step.run = shuffle_handler(i);
    step.a = operand(o[1], Type::b32).offset;
    step.b = operand(o[2], Type::b32).offset;
    step.data[0] = operand(o[3], Type::b32).offset;
  } else if (vote) {
    step.run = vote_handler(i);
    step.a = predicate(o[1]);
    step.flag = o[1].negated;
  } else if (match) {
    step.run = match_handler(i);
    step.a = operand(o[1], parse_type(i.modifiers.back())).offset;
  } else if (reduce) {
    step.run = reduce_handler(i);
    step.a = operand(o[1], Type::b32).offset;
  } else {
    step.run = elect;
  }
  if (step.run == nullptr) throw Unsupported{"`" + i.name() + "`"};
  return true;
}

bool Translator::barrier(Step& step) {
  const ptx::Instruction& i = *current_;
  if (i.opcode != "bar" && i.opcode != "barrier") return false;
  if (i.has("cluster")) throw Unsupported{"`" + i.name() + "` (clusters)"};
  bool reduces = i.has("red");
  step.kind = i.has("arrive") ? StepKind::arrive : StepKind::barrier;
  step.run = do_nothing;
  std::size_t at = 0;
  if (reduces) {
    if (i.operands.size() < 3) throw Unsupported{"`" + i.name() + "` with these operands"};
    step.extra = i.has("popc") ? 1 : i.has("and") ? 2 : 3;
    if (step.extra == 1)
      step.d = register_of(i.operands[0]).offset;
    else
      step.d = predicate(i.operands[0]);
    step.e = predicate(i.operands.back());
    step.flag = i.operands.back().negated;
    at = 1;
  }
  std::size_t end = i.operands.size() - (reduces ? 1 : 0);
  step.a = at < end ? operand(i.operands[at], Type::b32).offset : constant(0, 4);
  if (at + 1 < end) step.b = operand(i.operands[at + 1], Type::b32).offset;
  return true;
}

}  // namespace fusebox::sim
