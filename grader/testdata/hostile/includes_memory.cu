// EXPECT: COMPILE_ERROR
// The compiler's own memory as a header.
// REFERENCE
#include "/proc/self/mem"
