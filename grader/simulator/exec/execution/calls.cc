#include "grader/simulator/exec/execution/calls.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "grader/simulator/exec/decode/loaded_module.h"
#include "grader/simulator/exec/execution/divergence.h"
#include "grader/simulator/exec/program/program.h"
#include "grader/simulator/exec/program/raise_fault.h"

namespace fusebox::sim {
namespace {

void copy_arguments(Warp& warp, LaneMask lanes, const std::vector<CallSite::Argument>& list,
                    std::uint32_t from, std::uint32_t to) {
  for (const int lane : lanes_in(lanes)) {
    unsigned char* stack = warp.local.data() + static_cast<std::size_t>(lane) * warp.local_bytes;
    for (const CallSite::Argument& argument : list)
      std::memmove(stack + to + argument.to, stack + from + argument.from, argument.bytes);
  }
}

/// A call through a pointer: lanes that call the same function enter it together.
bool enter_functions(Warp& warp, Fragment& fragment, const DecodedInstruction& decoded, const CallSite& site,
                     LaneMask lanes, std::uint32_t next) {
  const std::uint64_t* pointers = warp.lanes_of<std::uint64_t>(decoded.a);
  std::vector<Fragment> parts;
  for (LaneMask rest = lanes; rest != 0;) {
    std::uint64_t pointer = pointers[std::countr_zero(rest)];
    LaneMask same = 0;
    for (const int lane : lanes_in(rest))
      if (pointers[lane] == pointer) same |= LaneMask{1} << lane;
    rest &= ~same;
    const Program* callee = warp.block->launch->module->find(pointer);
    auto same_sizes = [](const auto& a, const auto& b) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                        [](const FramePlace& x, const FramePlace& y) { return x.bytes == y.bytes; });
    };
    bool fits = callee != nullptr && !callee->function->entry &&
                same_sizes(callee->parameters, site.actual_arguments) &&
                same_sizes(callee->returns, site.actual_results);
    FrameRef frame = fits ? make_frame(warp, *callee, fragment.frame) : nullptr;
    if (!frame) {
      stop_block(warp, decoded, same, fits ? FaultKind::stack_overflow : FaultKind::invalid_call);
      return false;
    }
    frame->called_at = static_cast<std::uint32_t>(&decoded - fragment.frame->program->instructions.data());
    std::vector<CallSite::Argument> list;
    for (std::size_t k = 0; k < site.actual_arguments.size(); ++k)
      list.push_back(
          {site.actual_arguments[k].offset, callee->parameters[k].offset, callee->parameters[k].bytes});
    copy_arguments(warp, same, list, fragment.frame->local_base, frame->local_base);
    Fragment part = fragment;
    part.lanes = same;
    part.frame = std::move(frame);
    part.basic_block = 0;
    parts.push_back(std::move(part));
  }
  part_until(warp, fragment, lanes, next);
  for (Fragment& part : parts) {
    part.join = fragment.join;
    warp.fragments.push_back(std::move(part));
  }
  return false;  // all parts are in the list
}

}  // namespace

bool enter_function(Warp& warp, Fragment& fragment, const DecodedInstruction& decoded, LaneMask lanes,
                    std::uint32_t next) {
  if (lanes == 0) return enter_basic_block(warp, fragment, next);
  const CallSite& site = fragment.frame->program->calls[decoded.extra];
  if (site.callee == nullptr) return enter_functions(warp, fragment, decoded, site, lanes, next);
  const Program* callee = warp.block->launch->module->find(site.callee);
  FrameRef frame = callee == nullptr ? nullptr : make_frame(warp, *callee, fragment.frame);
  if (!frame) {
    stop_block(warp, decoded, lanes, callee == nullptr ? FaultKind::invalid_call : FaultKind::stack_overflow);
    return false;
  }
  frame->called_at = static_cast<std::uint32_t>(&decoded - fragment.frame->program->instructions.data());
  copy_arguments(warp, lanes, site.arguments, fragment.frame->local_base, frame->local_base);
  part_until(warp, fragment, lanes, next);
  fragment.frame = std::move(frame);
  fragment.basic_block = 0;
  return true;
}

bool leave_function(Warp& warp, Fragment& fragment, LaneMask lanes, std::uint32_t next) {
  if (lanes == 0) return enter_basic_block(warp, fragment, next);
  const Frame& frame = *fragment.frame;
  FrameRef caller = frame.caller;
  const DecodedInstruction& call = caller->program->instructions[frame.called_at];
  const CallSite& site = caller->program->calls[call.extra];
  copy_arguments(warp, lanes, site.results, frame.local_base, caller->local_base);
  for (std::size_t k = 0; k < site.actual_results.size(); ++k)  // a call through a pointer
    copy_arguments(
        warp, lanes,
        {{frame.program->returns[k].offset, site.actual_results[k].offset, site.actual_results[k].bytes}},
        frame.local_base, caller->local_base);
  if (LaneMask others = fragment.lanes & ~lanes) {
    Fragment stay = fragment;
    stay.lanes = others;
    if (enter_basic_block(warp, stay, next)) warp.fragments.push_back(std::move(stay));
  }
  // The call ended its basic block; its successor is where all callers meet again.
  const std::vector<BasicBlock>& blocks = caller->program->basic_blocks;
  const auto ended = std::find_if(blocks.rbegin(), blocks.rend(),
                                  [&](const BasicBlock& b) { return b.last == frame.called_at; });
  const auto back = static_cast<std::uint32_t>(blocks.rend() - ended);
  fragment.lanes = lanes;
  fragment.frame = std::move(caller);
  return enter_basic_block(warp, fragment, back);
}

}  // namespace fusebox::sim
