import { inspect } from 'node:util';

/**
 * A secret in memory. It prints, serialises and inspects as `[sealed]`. Only `reveal()` gives the text, and only the HTTP
 * client, the fingerprint and the secret hand-over call `reveal()`.
 */
export class Sealed {
  /** Where the secret comes from, for messages: `env://NAME` or `<line>.<output>`. Never the value. */
  readonly origin: string;
  readonly #text: string;

  constructor(text: string, origin: string) {
    this.#text = text;
    this.origin = origin;
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
