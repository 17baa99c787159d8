// ENTRY: kernel
// CLASS: missing-term
// CAUSE: merge adds the squares of both parts and leaves out what lies between their means.
// SAYS: variance|squares|rstd|merge
// SAYS: mean|between|merge|term|squares|apart|times|factor|too
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: merge (roughly 6 lines)
  const float count = a.count + b.count;
  if (count == 0.0f) return a;  // 0 / 0 would be the mean of nothing
  const float delta = b.mean - a.mean, share = b.count / count;
  a.mean += delta * share;
  a.squares += b.squares;
  a.count = count;
// END: merge
