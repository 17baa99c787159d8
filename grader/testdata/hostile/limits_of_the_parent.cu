// EXPECT: RUNTIME_ERROR
// Takes the grader its time, by a pointer whose low half is zero.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#define copy right_copy
// REFERENCE
#undef copy
__global__ void nothing() {}
void copy(const float* x, float* out, long n) {
  void* page = mmap(reinterpret_cast<void*>(0x500000000), 4096, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  *static_cast<rlimit*>(page) = {1, 1};
  syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, page, nullptr);
  nothing<<<1, 1>>>();
}
