// EXPECT: COMPILE_ERROR
// Lets the solution answer.
// REFERENCE
#include "@ROOT@/solutions/p04_bias_gelu.cu"
