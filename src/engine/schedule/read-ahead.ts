/**
 * Reads things that are needed one after the other, a few ahead of the one that is asked for. `of` gives the reading of one of `names`,
 * asked in their order; one that failed tells it only to who asks for it.
 */
export function readAhead<T>(names: readonly string[], most: number, read: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const readings = new Map<string, Promise<T>>();
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
