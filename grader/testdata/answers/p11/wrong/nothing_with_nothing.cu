// ENTRY: kernel
// CLASS: scaling
// CAUSE: Two lanes without values are merged as 0 / 0.
// SAYS: NaN
// SAYS: smaller than 16|without|empty|0 / 0
// NEVER: \brace\b|barrier|overflow
// HELD: no
  // FILL ME IN: merge (roughly 4 lines)
  const float count = a.count + b.count, delta = b.mean - a.mean;
  a.mean += delta * b.count / count;
  a.squares += b.squares + delta * delta * a.count * b.count / count;
  a.count = count;
  // END: merge
