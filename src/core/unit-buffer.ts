import type { Range } from './text-finder.ts';
import type { Units } from './text-units.ts';

/** Characters of a text that is made from another text, each with its range in that other text. */
export class UnitBuffer {
  units: Units = new Uint16Array(256);
  starts = new Int32Array(256);
  ends = new Int32Array(256);
  length = 0;

  rangeOf({ from, to }: Range): Range {
    return { from: this.startOf(from), to: this.endOf(to - 1) };
  }

  startOf(index: number): number {
    return this.starts[index] ?? 0;
  }

  endOf(index: number): number {
    return this.ends[index] ?? 0;
  }

  put(unit: number, start: number, end: number): void {
    if (this.length === this.units.length) this.makeRoom(this.length);
    this.units[this.length] = unit;
    this.starts[this.length] = start;
    this.ends[this.length] = end;
    this.length += 1;
  }

  makeRoom(count: number): void {
    const size = this.length + count;
    if (size <= this.units.length) return;
    const { units, starts, ends } = this;
    this.units = new Uint16Array(size);
    this.starts = new Int32Array(size);
    this.ends = new Int32Array(size);
    this.units.set(units.subarray(0, this.length));
    this.starts.set(starts.subarray(0, this.length));
    this.ends.set(ends.subarray(0, this.length));
  }

  remove(index: number): void {
    for (const list of [this.units, this.starts, this.ends]) list.copyWithin(index, index + 1, this.length);
    this.length -= 1;
  }

  /** Drops all but the last `count` characters, and tells how many it dropped. */
  keepLast(count: number): number {
    const from = Math.max(0, this.length - count);
    for (const list of [this.units, this.starts, this.ends]) list.copyWithin(0, from, this.length);
    this.length -= from;
    return from;
  }
}
