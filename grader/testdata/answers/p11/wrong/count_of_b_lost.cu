// ENTRY: kernel
// CLASS: missing-term
// CAUSE: merge does not add up the counts: later merges weigh a part as if it had not grown.
// SAYS: count|mean|merge
// SAYS: count|merge|mean|weigh|share
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: yes
// FILL ME IN: merge (roughly 6 lines)
  const float count = a.count + b.count;
  if (count == 0.0f) return a;  // 0 / 0 would be the mean of nothing
  const float delta = b.mean - a.mean, share = b.count / count;
  a.mean += delta * share;
  a.squares += b.squares + delta * delta * a.count * share;
// END: merge
