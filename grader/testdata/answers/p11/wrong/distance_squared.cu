// ENTRY: kernel
// CLASS: missing-term
// CAUSE: The squares grow by the square of the distance from the old mean; the second factor must be the distance from the new one.
// SAYS: variance|squares|rstd|add_value
// SAYS: mean|square|distance|delta|add_value|times|factor|too|larger
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: no
// FILL ME IN: add_value (roughly 4 lines)
  m.count += 1.0f;
  const float delta = value - m.mean;
  m.mean += delta / m.count;
  m.squares += delta * delta;  // its distance from the old mean, times that from the new one
// END: add_value
