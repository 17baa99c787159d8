// ENTRY: kernel
// CLASS: scaling
// CAUSE: In add_value the distance is divided by... the row's lanes: 32, instead of the count so far.
// SAYS: \bmean\b|add_value
// SAYS: count|divid|32|add_value|mean|factor|times|scal|\bx\b
// NEVER: eps (is )?(missing|outside|inside|left out)|without eps|(without|missing) gamma|gamma (is )?(missing|left out|never)|(without|missing) beta\b|beta (is )?(missing|left out|never)
// HELD: yes
// FILL ME IN: add_value (roughly 4 lines)
  m.count += 1.0f;
  const float delta = value - m.mean;
  m.mean += delta / kWarp;
  m.squares += delta * (value - m.mean);  // its distance from the old mean, times that from the new one
// END: add_value
