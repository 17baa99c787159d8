// STYLE: macros for everything, odd layout
// FILL ME IN: fused (roughly 10 lines)
#define EACH(i, n) for (int i = 0; i < (n); i++)
#define COLUMN(i) (first+(i)*kThreads)
#define IN(i)COLUMN(i)<columns
  float v [ kPerThread ] ;
  EACH(i,kPerThread)
    if(IN(i))
        v[i]
          = bias [COLUMN(i)]
          + x [row
               +COLUMN(i)];
  EACH(i,kPerThread) if(IN(i)) (out)[row+COLUMN(i)]=gelu(v[i]);
#undef IN
#undef COLUMN
#undef EACH
// END: fused
