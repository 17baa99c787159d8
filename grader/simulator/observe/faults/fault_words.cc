#include "grader/simulator/observe/faults/fault_words.h"

#include <algorithm>
#include <iterator>

namespace fusebox::sim {
namespace {

constexpr FaultWords kWords[] = {
    {FaultKind::out_of_bounds, FaultKey::out_of_bounds, "", ""},
    {FaultKind::uninitialised_read, FaultKey::uninitialised_read, "", ""},
    {FaultKind::misaligned, FaultKey::misaligned, "", ""},
    {FaultKind::barrier_divergence, FaultKey::barrier_divergence,
     "not all threads of the block reach the same barrier",
     "Move __syncthreads() out of the branch or loop, and do not return before it: every thread of the block must reach the same one."},
    {FaultKind::bad_mask, FaultKey::bad_mask, "the mask of a warp operation is wrong",
     "Name in the mask every lane that executes the operation: 0xffffffff where the whole warp does."},
    {FaultKind::missing_lanes, FaultKey::missing_lanes,
     "not all lanes that the mask names reach this warp operation",
     "Let them reach it: outside of the branch or loop, with no return before it. Lanes without work take part with a value that changes nothing."},
    {FaultKind::endless_loop, FaultKey::endless_loop, "the kernel has not ended",
     "Check that the loop's condition changes in each turn, that what it waits for can still happen, and that it is no more work than it need be."},
    {FaultKind::trap, FaultKey::trap, "the kernel stopped itself",
     "An assert failed or __trap() was reached: look at the condition on this line."},
    {FaultKind::bad_launch, FaultKey::bad_launch, "the launch was refused",
     "Check the grid, the block (1 to 1024 threads) and the dynamic shared bytes between <<< and >>>."},
    {FaultKind::invalid_call, FaultKey::invalid_call, "a call through a pointer to no function",
     "Take the address of a __device__ function in device code; a host function's address means nothing there."},
    {FaultKind::race, FaultKey::race, "", ""},
    {FaultKind::race_same_value, FaultKey::race_same_value, "", ""},
    {FaultKind::bad_texture, FaultKey::bad_texture, "", ""},
    {FaultKind::bad_free, FaultKey::bad_free, "", ""},
    {FaultKind::bad_mbarrier, FaultKey::bad_mbarrier, "an mbarrier is not used as it was set up",
     "Let one thread initialise it with the number of arrivals per phase, then __syncthreads(); each phase needs exactly that many, and all the bytes that were announced."},
    {FaultKind::bad_tensor_map, FaultKey::bad_tensor_map, "the copy engine cannot use this tensor map",
     "Let cuTensorMapEncodeTiled fill it in and check what it returns; give it to the kernel as const __grid_constant__ CUtensorMap, or copy its 128 bytes to where a multiple of 64 is."},
    {FaultKind::bad_wgmma, FaultKey::bad_wgmma, "wgmma is not used as a warpgroup must use it",
     "All four warps execute the same wgmma.fence (before the first, and after registers were written), wgmma.mma_async, wgmma.commit_group and wgmma.wait_group; until they have waited they leave its registers and its shared memory alone."},
    {FaultKind::unset_register, FaultKey::unset_variable,
     "this line computes with a variable that was never given a value",
     "Set it where it is declared: a sum begins with 0."},
    {FaultKind::stack_overflow, FaultKey::stack_overflow,
     "the thread's stack is full: functions call each other too deeply",
     "Check that the recursion ends, or write it as a loop: a thread's stack is small, and in slow memory."},
    {FaultKind::not_a_number, FaultKey::not_a_number, "",
     "Look at what goes in: a sum of nothing, a value that is too large, a difference that rounding made negative."},
    {FaultKind::too_much_output, FaultKey::output_limit, "a block prints more than the grader reads",
     "Print from one thread, or once: a GPU too keeps only the last megabyte of what its kernels print."},
};

}  // namespace

const FaultWords& words_of(FaultKind kind) {
  static constexpr FaultWords kOther{FaultKind::trap, FaultKey::unknown, "", ""};
  const auto found = std::find_if(std::begin(kWords), std::end(kWords),
                                  [&](const FaultWords& words) { return words.kind == kind; });
  return found == std::end(kWords) ? kOther : *found;
}

}  // namespace fusebox::sim
