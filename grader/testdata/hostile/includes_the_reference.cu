// EXPECT: COMPILE_ERROR
// Lets the solution answer.
// REFERENCE
#define kThreads kThreadsOfTheOther
#include "@ROOT@/solutions/p04_bias_gelu.cu"
