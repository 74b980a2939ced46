import { isMap } from '../../core/json.ts';
import { splitPointer } from '../../core/pointer.ts';
import { baseOf } from './paths.ts';
import type { Reader } from './reader.ts';

/** Reads each settings file once, however many services ask for it. It keeps texts in memory only, and only of files that are asked for. */
export class DataFiles {
  readonly #reader: Reader;
  /** Names of the files that somebody asks for, without their folders. */
  readonly #asked: ReadonlySet<string>;
  readonly #texts = new Map<string, string | null>();
  readonly #read = new Map<string, unknown>();

  constructor(reader: Reader, asked: ReadonlySet<string>) {
    this.#reader = reader;
    this.#asked = asked;
  }

  /** Takes the text of a file that was read for another reason. */
  keep(file: string, text: ReturnType<Reader['read']>): void {
    if (this.#asked.has(baseOf(file))) this.#texts.set(file, typeof text === 'string' ? text : null);
  }

  async read(file: string): Promise<unknown> {
    if (!this.#read.has(file)) {
      const kept = this.#texts.get(file);
      const text = kept === undefined ? this.#reader.read(file) : kept;
      this.#texts.delete(file);
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
