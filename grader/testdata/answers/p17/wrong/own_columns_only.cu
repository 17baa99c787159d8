// ENTRY: kernel
// CLASS: missing-term
// CAUSE: merge ignores its second pair: each thread divides by the sum of its own columns.
// SAYS: sum|largest|merge|column
// SAYS: half|only|lanes?|missing|merge|blank|part|wrong|own|each|every
// NEVER: \brace\b
// HELD: yes
// FILL ME IN: merge (roughly 2 lines)
  both.sum = a.sum + 0.0f * b.sum;
// END: merge
