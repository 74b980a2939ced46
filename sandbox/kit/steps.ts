const places = new WeakMap<object, number>();

/** The next of the states that an object passes through, one a look; the last one lasts. A state may come back: services flap. */
export function nextStep<T>(of: object, steps: readonly T[]): T | undefined {
  const at = Math.min((places.get(of) ?? 0) + 1, steps.length - 1);
  places.set(of, at);
  return steps[at];
}
