#pragma once

#include <string>

#include "grader/report/report.h"

namespace fusebox {

/// What the numbers at full size mean, in one sentence, or two where the learner's file costs more than it
/// must. Made of the numbers alone; empty where there are none.
///
/// Of a puzzle with two entries: what the last one does to the first one's bytes and time, and where it
/// loses, by what. Else the learner's file beside the reference and the bytes that any kernel must move.
std::string meaning_of(const FullSize& full);

/// Why the counted case does not tell it: "The counted case (B2 S64) fills 6 % of the GPU: its time is
/// latency, not bytes." Empty where that is not so.
std::string meaning_of_counted(const Report& report, int sms);

/// "an H200" for "NVIDIA H200".
std::string with_article(std::string gpu);

}  // namespace fusebox
