// EXPECT: INVALID_SUBMISSION
// An essay.
The answer is that memory is slow.
