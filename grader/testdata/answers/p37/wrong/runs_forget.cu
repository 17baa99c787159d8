// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Every run begins with zeros before it, so that the first three steps of all runs but the first lack what came before.
// SAYS: before|zeros?|earlier|steps?|keep|window|rows?
// NEVER: barrier|\brace\b|uninitiali
// HELD: no
// FILL ME IN: keep (roughly 7 lines)
  for (int k = 0; k < 4; k++) taps[k] = weight[k * channels + channel];
  for (int i = 0; i < 3; i++) window[i] = 0.f;
// END: keep
