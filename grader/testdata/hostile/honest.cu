// EXPECT: PASS
// As it should be.
// REFERENCE
