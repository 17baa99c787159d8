#pragma once

#include <string>
#include <vector>

#include "grader/judge/source/source_file.h"
#include "grader/report/launch_record.h"

namespace fusebox {

/// The line of the learner's file to show for a fault. Compilers move loads out of loops and leave them at
/// the line of a declaration; where that line cannot touch memory and the one that first uses the value can,
/// it is the latter.
int line_to_show(const Fault& fault, const SourceFile& source);
/// Whether a fault's line is one of this file, and not of a header.
bool is_line_of(const Fault& fault, const SourceFile& source);

/// A size that looks as if elements had been counted in place of bytes, and that `function` writes with a
/// sizeof, was not counted so: then the fault says what was allocated and what is used, and no more.
Fault without_refuted_guess(Fault fault, const SourceFile& source, const std::string& function);

/// What a line of code reads, or writes, by an index: {"table"} for reads of `out[i] = table[id];`. Each
/// once.
std::vector<std::string> indexed_on(const std::string& line, bool writes);

}  // namespace fusebox
