import type { Json } from '../core/json.ts';
import { nearest } from '../core/nearest.ts';
import type { OutputSpec, ParamSpec } from '../ops/op.ts';
import { examplePlan } from './example-plan.ts';
import { knownLimits } from './known-limits.ts';
import { destroyText, typeText } from './op-words.ts';
import type { DocumentedOp, Subject } from './subjects.ts';

/** An operation as a search finds it. */
export interface FoundOp {
  /** `neon.branch`: the name under which the catalogue has all facts. */
  readonly name: string;
  /** How a line of a plan names it: `{ recipe: "auth0.callback_url" }`. */
  readonly line: { readonly [key: string]: string };
  readonly title: string;
  readonly doc: string;
}

export interface ParamDoc {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly doc: string;
  /** The plan must give a reference: `{ secret: env://NAME }`, or a sensitive output of another line. */
  readonly secret?: true;
  readonly default?: Json;
  /** Where a person finds the value. */
  readonly found?: string;
}

export interface OutputDoc {
  readonly name: string;
  readonly doc: string;
  readonly sensitive?: true;
  readonly once?: true;
}

/** Everything about one operation. */
export interface OpDoc extends FoundOp {
  /** Other names of the operation. */
  readonly also: readonly string[];
  readonly docs: string;
  readonly params: readonly ParamDoc[];
  readonly outputs: readonly OutputDoc[];
  readonly destroy: string;
  readonly limits: readonly string[];
  /** A plan with one line of the operation. */
  readonly example: string;
}

interface Entry {
  readonly subject: Subject;
  readonly documented: DocumentedOp;
  readonly found: FoundOp;
  readonly also: readonly string[];
}

/** Searches everything that a plan may name. */
export class Catalogue {
  readonly #entries: readonly Entry[];

  constructor(subjects: readonly Subject[]) {
    this.#entries = subjects.flatMap((subject) => subject.ops.map((documented) => entryOf(subject, documented)));
  }

  get size(): number {
    return this.#entries.length;
  }

  /** Operations that have every word, with matches in the name first. Without words it gives all operations. */
  search(words: string): readonly FoundOp[] {
    const wanted = wordsOf(words);
    const ranked = this.#entries.flatMap((entry) => {
      const ranks = wanted.map((word) => rankOf(entry, word));
      return ranks.every((rank) => rank > 0) ? [{ entry, rank: ranks.reduce((sum, rank) => sum + rank, 0) }] : [];
    });
    return ranked.sort((a, b) => b.rank - a.rank || (a.entry.found.name < b.entry.found.name ? -1 : 1)).map(({ entry }) => entry.found);
  }

  /** One operation by any of its names; `null` where there is none. */
  op(name: string): OpDoc | null {
    const entry = this.#entries.find(({ found, also }) => found.name === name || also.includes(name));
    return entry ? tell(entry) : null;
  }

  /** The known name that is probably meant. */
  nearest(name: string): string | null {
    return nearest(
      name,
      this.#entries.flatMap(({ found, also }) => [found.name, ...also]),
    );
  }
}

function entryOf(subject: Subject, documented: DocumentedOp): Entry {
  const { op, name, recipes } = documented;
  const isRecipe = subject.kind === 'recipe';
  const [own = `${subject.name}.${name}`, ...also] = isRecipe ? recipes : subject.spellings.map((spelling) => `${spelling}.${name}`);
  const line: FoundOp['line'] = isRecipe ? { recipe: own } : { adapter: subject.name, op: name };
  return { subject, documented, found: { name: own, line, title: subject.adapter.title, doc: op.doc }, also };
}

/** How well an operation fits a word. A match in its name counts more than one in its texts. */
function rankOf({ found, also, documented }: Entry, word: string): number {
  const names = [found.name, ...also].flatMap(wordsOf);
  if (names.includes(word)) return 4;
  if (names.some((name) => name.includes(word))) return 3;
  if (`${found.title} ${found.doc}`.toLowerCase().includes(word)) return 2;
  return Object.entries(documented.op.params).some(([name, { doc }]) => `${name} ${doc}`.toLowerCase().includes(word)) ? 1 : 0;
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

function tell({ subject, documented, found, also }: Entry): OpDoc {
  const { op } = documented;
  return {
    ...found,
    also,
    docs: subject.adapter.docs,
    params: Object.entries(op.params).map(paramDoc),
    outputs: Object.entries(op.outputs).map(outputDoc),
    destroy: destroyText(op),
    limits: knownLimits(subject, documented),
    example: examplePlan(subject, documented),
  };
}

const paramDoc = ([name, spec]: [string, ParamSpec]): ParamDoc => ({
  name,
  type: typeText(spec).replaceAll('`', ''),
  required: spec.required === true,
  doc: spec.doc,
  ...(spec.secret === true && { secret: true }),
  ...(spec.default !== undefined && { default: spec.default }),
  ...(spec.todo !== undefined && { found: spec.todo }),
});

const outputDoc = ([name, spec]: [string, OutputSpec]): OutputDoc => ({
  name,
  doc: spec.doc,
  ...(spec.sensitive === true && { sensitive: true }),
  ...(spec.once === true && { once: true }),
});
