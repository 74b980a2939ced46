/** What `make` gives, made when it is first asked for: a shape that most runs never check costs them nothing. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
