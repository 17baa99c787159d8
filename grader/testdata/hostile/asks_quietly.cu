// EXPECT: WRONG_ANSWER
// Makes itself survive the grader, and tries newer calls; all of it fails.
#include <sys/prctl.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  prctl(PR_SET_PDEATHSIG, 0);
  fcntl(0, F_SETOWN, getppid());
  syscall(452, AT_FDCWD, "/tmp", 0777, 0);
  nothing<<<1, 1>>>();
}
