// ENTRY: kernel
// CLASS: missing-term
// CAUSE: Two lanes without a value are merged: 0 / 0 gives NaN in rows shorter than a warp.
// SAYS: NaN|merge|0 / 0|finite|divid
// SAYS: NaN|0|merge|lane|count|empty|divid|finite
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: merge (roughly 6 lines)
  const float count = a.count + b.count;
  const float delta = b.mean - a.mean, share = b.count / count;
  a.mean += delta * share;
  a.squares += b.squares + delta * delta * a.count * share;
  a.count = count;
// END: merge
