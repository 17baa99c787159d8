// EXPECT: COMPILE_ERROR
// An essay.
The answer is that memory is slow.
