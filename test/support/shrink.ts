/** How an example is cut down. */
export interface Shrinking<T> {
  /** Examples with one part less, the most likely ones first. */
  readonly smaller: (example: T) => Iterable<T>;
  /** Runs an example, and gives the shape of its failure: without the names and numbers that change with each part. */
  readonly shapeOf: (example: T) => Promise<string>;
  /** Longer than this nobody waits for a smaller example. */
  readonly mostTries: number;
}

/** The smallest part of a failing example that still fails in the same way. Another failure may be a defect of its own, but it is not this one. */
export async function shrinkTo<T>(failing: T, { smaller, shapeOf, mostTries }: Shrinking<T>): Promise<T> {
  let least = failing;
  const shape = await shapeOf(failing);
  let tries = 0;
  for (let isSmaller = true; isSmaller && tries < mostTries; ) {
    isSmaller = false;
    for (const candidate of smaller(least)) {
      if (tries >= mostTries) break;
      tries += 1;
      if ((await shapeOf(candidate)) !== shape) continue;
      least = candidate;
      isSmaller = true;
      break;
    }
  }
  return least;
}
