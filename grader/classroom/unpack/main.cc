// unpacker ARCHIVE NAME: the archive's file of that name, on stdout behind a line "file"; or a line "refused"
// and why. Archives are hostile input to a large library: `grader class` gives this process no more rights
// and no more of the machine than it takes to read one.
#include <cstdio>

#include "grader/classroom/unpack/archive.h"

int main(int count, char** words) {
  if (count != 3) return 2;
  const fusebox::classroom::Unpacked unpacked = fusebox::classroom::unpack(words[1], words[2]);
  const std::string answer = unpacked.text ? "file\n" + *unpacked.text : "refused\n" + unpacked.why;
  return std::fwrite(answer.data(), 1, answer.size(), stdout) == answer.size() && std::fflush(stdout) == 0
             ? 0
             : 1;
}
