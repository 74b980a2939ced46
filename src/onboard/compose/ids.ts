import type { DraftProvider } from '../draft.ts';
import type { Standing, StandingLine } from '../standing.ts';

/** The marks by which a line of the plan is known as the drafted one. */
export interface Wanted {
  readonly natural: string;
  readonly provider: DraftProvider;
  readonly op: string;
  /** The only line of its operation: the plan may call it as it likes. */
  readonly isAlone: boolean;
  /** Values of the repository that tell two lines of one operation apart. */
  readonly marks: { readonly [param: string]: string };
  /** The variable that the line gives. */
  readonly key?: string;
}

/** Gives ids to drafted lines. A line that the plan has keeps the id of the plan, and no id is given twice. */
export class Ids {
  readonly #lines: readonly StandingLine[];
  readonly #taken: Set<string>;
  readonly #used = new Set<string>();

  constructor(standing: Standing | null) {
    this.#lines = standing?.lines ?? [];
    this.#taken = new Set(standing?.taken);
  }

  of(wanted: Wanted): string {
    const same = this.#lines.filter((line) => !this.#used.has(line.id) && isOf(line, wanted));
    const found = same.find(({ id }) => id === wanted.natural) ?? same.find((line) => wanted.isAlone || agrees(line, wanted));
    if (found) {
      this.#used.add(found.id);
      return found.id;
    }
    return this.#free(wanted.natural, wanted.provider.adapter.name);
  }

  #free(natural: string, provider: string): string {
    const suffix = provider.replaceAll('_', '-');
    let one = natural;
    for (let n = 1; this.#taken.has(one); n += 1) one = n === 1 ? `${natural}-${suffix}` : `${natural}-${suffix}-${n}`;
    this.#taken.add(one);
    return one;
  }
}

function isOf(line: StandingLine, { provider, op, isAlone, marks, key }: Wanted): boolean {
  if (line.provider !== provider.adapter.name || line.isRecipe !== provider.isRecipe || line.op !== op) return false;
  if (key !== undefined && !Object.values(line.params).includes(key)) return false;
  return isAlone || Object.entries(marks).every(([param, value]) => said(line, param) === undefined || said(line, param) === value);
}

const agrees = (line: StandingLine, { marks }: Wanted): boolean =>
  Object.entries(marks).some(([param, value]) => said(line, param) === value);

const said = ({ params, unfinished }: StandingLine, param: string): unknown => (unfinished.has(param) ? undefined : params[param]);
