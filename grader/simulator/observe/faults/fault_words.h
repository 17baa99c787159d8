#pragma once

#include "grader/report/fault_key.h"
#include "grader/simulator/exec/state/fault.h"

namespace fusebox::sim {

/// What is always said of a kind of fault.
struct FaultWords {
  FaultKind kind;
  FaultKey key;  ///< of the report
  const char*
      what;  ///< a note may follow it; empty where the sentence is made of the access, see fault_text.cc
  const char* hint;  ///< what to try
};

const FaultWords& words_of(FaultKind kind);

}  // namespace fusebox::sim
