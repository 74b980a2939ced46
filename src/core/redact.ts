import { Failure } from './errors.ts';
import { isMap, setOwn } from './json.ts';
import { Sealed } from './sealed.ts';
import { SecretFinder } from './secret-finder.ts';
import type { Shape } from './shape.ts';
import { TextFinder } from './text-finder.ts';

/** Keeps secrets out of everything that is shown or stored: each value is added before its first use and masked from then on. */
export class Redactor {
  readonly #finder = new SecretFinder();
  readonly #known = new Set<string>();
  /** Short texts with no secret in them. */
  readonly #clean = new Set<string>();
  readonly #onSecret: ((text: string) => void) | undefined;

  /** `onSecret` learns each value once, before its first use. It is for others that mask too, such as the runner of a CI job. */
  constructor(onSecret?: (text: string) => void) {
    this.#onSecret = onSecret;
  }

  /** Adds a secret that is long enough to be masked. A shorter one is ignored. */
  addIfLong(secret: string): void {
    if (secret.trim().length >= TextFinder.shortest) this.add(secret);
  }

  /** Throws `SECRET_UNRESOLVED` for a value too short to be masked without masking ordinary text. */
  add(secret: string | Sealed): void {
    const text = secret instanceof Sealed ? secret.reveal() : secret;
    if (this.#known.has(text)) return;
    if (text.trim().length < TextFinder.shortest) throw tooShort(secret);
    this.#known.add(text);
    this.#clean.clear();
    this.#onSecret?.(text);
    this.#finder.add(text);
  }

  /** `text` with every known secret, in any of its spellings, as `***`. */
  text(text: string): string {
    const ranges = this.#finder.find(text);
    if (ranges.length === 0) return text;
    let shown = '';
    let end = 0;
    for (const { from, to } of ranges) {
      shown += `${text.slice(end, from)}${mask}`;
      end = to;
    }
    return shown + text.slice(end);
  }

  /** Plain data with every text in it redacted, names and numbers included: the value itself where no secret is in it, else a copy. */
  json<T>(value: T): T;
  json(value: unknown): unknown {
    return this.#isClean(value) ? value : this.#masked(value);
  }

  /** A document with every secret masked in the words of others, and our own words as they are. The value itself where no secret is in it. */
  document<T>(value: T, shape: Shape): T;
  document(value: unknown, shape: Shape): unknown {
    if (shape === 'own' || value === undefined || value === null) return value;
    if (shape === 'said') return this.json(value);
    if ('list' in shape) return Array.isArray(value) ? this.#items(value, shape.list) : this.json(value);
    if (!isMap(value)) return this.json(value);
    if ('map' in shape) return this.#members(value, () => shape.map);
    if ('of' in shape) return this.#members(value, (name) => (Object.hasOwn(shape.of, name) ? shape.of[name] : undefined));
    const word = value[shape.by];
    const chosen = typeof word === 'string' && Object.hasOwn(shape.cases, word) ? shape.cases[word] : undefined;
    return this.document(value, chosen ?? 'said');
  }

  #items(list: readonly unknown[], shape: Shape): unknown {
    let isSame = true;
    const told = list.map((item) => {
      const one = this.document(item, shape);
      isSame &&= one === item;
      return one;
    });
    return isSame ? list : told;
  }

  #members(map: Record<string, unknown>, shapeFor: (name: string) => Shape | undefined): unknown {
    let copy: { [name: string]: unknown } | null = null;
    for (const name of Object.keys(map)) {
      const member = map[name];
      const told = this.document(member, shapeFor(name) ?? 'said');
      if (told === member) continue;
      copy ??= { ...map };
      setOwn(copy, name, told);
    }
    return copy ?? map;
  }

  /** Nearly every value holds no secret, and a copy would take twice as long as this look. */
  #isClean(value: unknown): boolean {
    if (typeof value === 'string') return this.#often(value) === value;
    if (typeof value === 'number') return !this.#finder.isInDigits || !this.has(String(value));
    if (Array.isArray(value)) return value.every((item: unknown) => this.#isClean(item));
    if (!isMap(value)) return true;
    for (const name in value) if (this.#often(name) !== name || !this.#isClean(value[name])) return false;
    return true;
  }

  #masked(value: unknown): unknown {
    if (typeof value === 'string') return this.#often(value);
    if (typeof value === 'number') return this.#isClean(value) ? value : mask;
    if (Array.isArray(value)) return value.map((item: unknown) => this.#masked(item));
    if (!isMap(value)) return value;
    const copy: { [name: string]: unknown } = {};
    for (const name of Object.keys(value)) setOwn(copy, this.#often(name), this.#masked(value[name]));
    return copy;
  }

  /** Thousands of events share a few names, lines and states, so clean texts are remembered. */
  #often(text: string): string {
    if (text.length > mostOften) return this.text(text);
    if (this.#clean.has(text)) return text;
    const shown = this.text(text);
    if (shown === text && this.#clean.size < 10_000) this.#clean.add(text);
    return shown;
  }

  has(text: string): boolean {
    return this.#finder.find(text).length > 0;
  }

  /** Each part of `text` that is masked in it. */
  found(text: string): readonly string[] {
    return this.#finder.find(text).map(({ from, to }) => text.slice(from, to));
  }
}

const mask = '***';
/** Longest text that is worth remembering. */
const mostOften = 40;

function tooShort(secret: string | Sealed): Failure {
  const origin = secret instanceof Sealed ? secret.origin : 'A credential';
  return new Failure('SECRET_UNRESOLVED', {
    detail: `${origin} has fewer than ${TextFinder.shortest} characters. A value this short cannot be masked safely: masking it would hit ordinary text.`,
    fix: 'Use a longer value.',
  });
}
