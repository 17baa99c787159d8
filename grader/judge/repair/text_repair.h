#pragma once

#include <string>
#include <vector>

#include "grader/judge/repair/repair.h"

/// One change in the learner's device code with which every case comes out right. All changes are compiled at
/// once, each behind a switch in device memory, and carried out one by one.
namespace fusebox {

/// Where it goes wrong, as far as that is known: of more changes than there is time for those are tried that
/// are made near there.
struct NearBy {
  std::string kernel;  ///< with or without its template arguments; "": any
  int line = 0;        ///< of the learner's file; 0: any
  /// A launch does not end: what mends it is likely near that line, and each trial that does not takes long.
  bool is_endless = false;
  /// Those alone that are so often what is wrong, as another bound is: what else mends may only go around.
  bool only_typical = false;
};

/// The likeliest of those changes, two at most; only in `blanks`, where there are any. Empty: none of them
/// mends every case.
std::vector<Repair> find_text_repairs(const Suspect& suspect, const std::vector<std::string>& blanks,
                                      const NearBy& near_by = {});

}  // namespace fusebox
