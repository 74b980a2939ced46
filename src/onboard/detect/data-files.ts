import { isMap } from '../../core/json.ts';
import { splitPointer } from '../../core/pointer.ts';
import { Reader } from './reader.ts';

/** Reads each settings file once, however many providers ask for it. */
export class DataFiles {
  readonly #reader: Reader;
  readonly #read = new Map<string, unknown>();

  constructor(root: string) {
    this.#reader = new Reader(root);
  }

  async read(file: string): Promise<unknown> {
    if (!this.#read.has(file)) {
      const text = this.#reader.read(file);
      const { readDataFile } = await import('./data-file.ts');
      this.#read.set(file, typeof text === 'string' ? readDataFile(file, text) : undefined);
    }
    return this.#read.get(file);
  }
}

/** The values at a JSON Pointer. `0` in the pointer means every item of a list. */
export const valuesAt = (value: unknown, pointer: string): readonly unknown[] => allAt(value, splitPointer(pointer));

/** Collects the values at a pointer. `0` means every item of a list, so several items make the value unclear. */
function allAt(value: unknown, parts: readonly string[]): readonly unknown[] {
  const [part, ...rest] = parts;
  if (part === undefined) return [value];
  if (Array.isArray(value)) {
    const items: readonly unknown[] = part === '0' ? value : /^\d+$/.test(part) ? [value[Number(part)]] : [];
    return items.flatMap((item) => allAt(item, rest));
  }
  return isMap(value) && Object.hasOwn(value, part) ? allAt(value[part], rest) : [];
}
