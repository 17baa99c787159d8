// EXPECT: COMPILE_ERROR
// A header that never ends.
// REFERENCE
#include "/dev/zero"
