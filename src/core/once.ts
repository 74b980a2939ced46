/** Calls `make` at the first use and keeps its value: a shape that most runs never check costs them nothing. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
