/**
 * Reads things that are needed one after the other, a few ahead of the present one. The returned function gives the reading of one of `names`,
 * asked in their order. A reading that failed throws only for the caller that asks for it.
 */
export function readAhead<N, T>(names: readonly N[], most: number, read: (name: N) => Promise<T>): (name: N) => Promise<T> {
  const readings = new Map<N, Promise<T>>();
  const rest = names.values();
  const begin = (): void => {
    const { value: name, done } = rest.next();
    if (done) return;
    const reading = read(name);
    reading.catch(() => undefined);
    readings.set(name, reading);
  };
  return (name) => {
    while (readings.size < Math.min(most, names.length) && !readings.has(name)) begin();
    const reading = readings.get(name) ?? read(name);
    readings.delete(name);
    begin();
    return reading;
  };
}
