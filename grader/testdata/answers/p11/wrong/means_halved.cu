// ENTRY: kernel
// CLASS: scaling
// CAUSE: merge takes the average of both means; that is their mean only if both parts have as many values.
// SAYS: \bmean\b|merge
// SAYS: average|count|weight|share|merge|values|mean
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: merge (roughly 6 lines)
  const float count = a.count + b.count;
  if (count == 0.0f) return a;  // 0 / 0 would be the mean of nothing
  const float delta = b.mean - a.mean, share = b.count / count;
  a.mean = 0.5f * (a.mean + b.mean);
  a.squares += b.squares + delta * delta * a.count * share;
  a.count = count;
// END: merge
