import { Failure } from './errors.ts';
import { isMap, setOwn } from './json.ts';
import { Sealed } from './sealed.ts';
import { secretForms } from './secret-forms.ts';
import { TextFinder } from './text-finder.ts';

/** Keeps secrets out of everything that is shown or stored: each value is added before its first use and masked from then on. */
export class Redactor {
  readonly #finder = new TextFinder();
  readonly #known = new Set<string>();
  readonly #cleanNames = new Set<string>();
  readonly #onSecret: ((text: string) => void) | undefined;

  /** `onSecret` learns each value once, before its first use: for others who mask as well, such as the runner of a CI job. */
  constructor(onSecret?: (text: string) => void) {
    this.#onSecret = onSecret;
  }

  /** Throws `SECRET_UNRESOLVED` for a value too short to be masked without masking ordinary text. */
  add(secret: string | Sealed): void {
    const text = secret instanceof Sealed ? secret.reveal() : secret;
    if (this.#known.has(text)) return;
    if (text.trim().length < TextFinder.shortest) throw tooShort(secret);
    this.#known.add(text);
    this.#cleanNames.clear();
    this.#onSecret?.(text);
    for (const form of secretForms(text, TextFinder.shortest)) this.#finder.add(form);
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

  /** Plain data with every text in it redacted, names and numbers included: a copy. */
  json<T>(value: T): T;
  json(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (typeof value === 'number') return this.has(String(value)) ? mask : value;
    if (Array.isArray(value)) return value.map((item: unknown) => this.json(item));
    if (!isMap(value)) return value;
    const copy: { [name: string]: unknown } = {};
    for (const name of Object.keys(value)) setOwn(copy, this.#name(name), this.json(value[name]));
    return copy;
  }

  /** Data of thousands of lines has the same few names. */
  #name(name: string): string {
    if (this.#cleanNames.has(name)) return name;
    const shown = this.text(name);
    if (shown === name && this.#cleanNames.size < 10_000) this.#cleanNames.add(name);
    return shown;
  }

  has(text: string): boolean {
    return this.#finder.find(text).length > 0;
  }
}

const mask = '***';

function tooShort(secret: string | Sealed): Failure {
  const origin = secret instanceof Sealed ? secret.origin : 'A credential';
  return new Failure('SECRET_UNRESOLVED', {
    detail: `${origin} has fewer than ${TextFinder.shortest} characters. A value this short cannot be masked safely: masking it would hit ordinary text.`,
    fix: 'Use a longer value.',
  });
}
