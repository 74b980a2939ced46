import { randomUUID } from 'node:crypto';
import type { WantedCommands } from '../engine/types.ts';

/** A question to a person about an approval. */
export interface Asked {
  /** The tool and all of its params. */
  readonly call: string;
  readonly directory: string;
  /** The digest of the plan that the person saw; `null` for a question about commands. */
  readonly digest: string | null;
  /** The commands of the question, or the commands that the person has already approved for this call. */
  readonly commands: WantedCommands | null;
}

/**
 * The open questions. Each answer fits one question, once and soon: an approval of one call cannot be used for another. Nobody can invent
 * an answer, because the name of a question cannot be guessed.
 */
export class Approvals {
  readonly #now: () => number;
  readonly #open = new Map<string, Asked & { readonly until: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Opens a question and returns its name. */
  ask(asked: Asked): string {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= mostOpen) this.#open.delete(oldest);
    const name = randomUUID();
    this.#open.set(name, { ...asked, until: this.#now() + patienceMs });
    return name;
  }

  /** Closes the question of this name about this call and returns it; `null` if there is none. */
  take(name: unknown, call: string): Asked | null {
    if (typeof name !== 'string') return null;
    const asked = this.#open.get(name);
    this.#open.delete(name);
    return asked && asked.call === call && asked.until > this.#now() ? asked : null;
  }
}

const mostOpen = 100;
const patienceMs = 15 * 60_000;
