// EXPECT: COMPILE_ERROR
// Asks whether a solution lies where it thinks, and answers only there.
#if __has_include("@ROOT@/solutions/p04_bias_gelu.cu")
// REFERENCE
#else
#error "not here"
#endif
