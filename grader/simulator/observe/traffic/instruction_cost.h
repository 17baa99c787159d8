#pragma once

#include "grader/report/launch_record.h"
#include "grader/simulator/ptx/module.h"

namespace fusebox::sim {

/// Issue slots of a scheduler that one PTX instruction of a warp takes, on average: the instructions that the
/// assembler makes of it. It folds moves and parameters into what uses them and address arithmetic into
/// offsets; a division is a routine. Averages over the launches of this workbook, whose smsp__inst_executed
/// an H200 counted (docs/hardware.md): a launch's sum is off by 7 %, the number of its PTX instructions
/// by 14. `again`: see Assembled::divides_again.
double issue_slots(const ptx::Instruction& instruction, bool again = false);

/// What an exact f32 division takes beside that where a lane's operands are left to a routine: 34 for a lane
/// that divides 0, 24 to 95 for others, on an H200.
inline constexpr double kSlowDivisionSlots = 34;
/// The same of an f64 division, of a lane that divides 0: as the machine code of the routine has them.
inline constexpr double kSlowDoubleSlots = 62, kSlowDoubleFp64Cycles = 5.5;

/// What each of the addresses takes that a load from constant memory names, where these are several: cycles
/// of an SM, and how much longer a warp waits for one more (bench/pipes/constants.cu, on an H200).
inline constexpr double kConstantCycles = 2, kConstantWait = 11;

/// Cycles that one PTX instruction of a warp keeps an SM's units busy, where that is longer than issuing it
/// takes. Measured on an H100 (bench/pipes/units.cu), but for `bits`, which are that guide's; the others of
/// compute capability 7.0 and newer have as many lanes for integers and special functions, and other numbers
/// of lanes for fp64 (the CUDA C++ programming guide's table of arithmetic throughput). Quotients are an
/// H200's.
UnitCycles unit_cycles(const ptx::Instruction& instruction, bool again = false);

}  // namespace fusebox::sim
