import { inspect } from 'node:util';
import { Failure } from './errors.ts';

/**
 * A secret in memory. It prints, serialises and inspects as `[sealed]`. Only `reveal()` gives the text, and only the HTTP
 * client, the fingerprint and the secret hand-over call `reveal()`.
 */
export class Sealed {
  /** Where the secret comes from, for messages: `env://NAME` or `<line>.<output>`. Never the value. */
  readonly origin: string;
  /** The name by which the plan takes it: `env://NAME` or `<line>.<output>`. The origin where no plan takes it. */
  readonly source: string;
  /** Of a text that holds secrets and other text: that text with the source of each secret in its place. `null` for a bare secret. */
  readonly form: string | null;
  readonly #text: string;

  constructor(text: string, origin: string, { source = origin, form = null }: { source?: string; form?: string | null } = {}) {
    this.#text = text;
    this.origin = origin;
    this.source = source;
    this.form = form;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return '[sealed]';
  }

  toJSON(): string {
    return '[sealed]';
  }

  [inspect.custom](): string {
    return `[sealed ${this.origin}]`;
  }
}

/** A sensitive output of a line. */
export interface SecretSource {
  readonly line: string;
  readonly output: string;
}

/** Sensitive outputs as a judgement sees them, with the text around them: they have an origin and no text. */
export class Unrevealed extends Sealed {
  readonly sources: readonly SecretSource[];

  constructor(sources: readonly SecretSource[], origin: string, form: string | null = null) {
    super('', origin, { form });
    this.sources = sources;
  }

  /** Throws `INTERNAL`: a text that was not read must not be sent. */
  override reveal(): string {
    throw new Failure('INTERNAL', { detail: `${this.origin} was used before it was read.` });
  }
}

/**
 * Texts as one text. It is secret when a part is, and unrevealed when a part is. `given`: the parts before they were encoded for their
 * places. They make the form, because the place of a text may follow from a secret that was not read.
 */
export function joinTexts(parts: readonly (string | Sealed)[], given = parts): string | Sealed {
  const secrets = parts.filter((part) => part instanceof Sealed);
  if (secrets.length === 0) return parts.join('');
  const origin = [...new Set(secrets.map((secret) => secret.origin))].join(' and ');
  const form = given.map((part) => (part instanceof Sealed ? `\${${part.form ?? part.source}}` : part.replaceAll('${', '$${'))).join('');
  const unread = secrets.filter((secret) => secret instanceof Unrevealed);
  if (unread.length > 0)
    return new Unrevealed(
      unread.flatMap(({ sources }) => sources),
      origin,
      form,
    );
  return new Sealed(parts.map((part) => (part instanceof Sealed ? part.reveal() : part)).join(''), origin, { form });
}
