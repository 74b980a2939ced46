import { randomUUID } from 'node:crypto';
import type { WantedCommands } from '../engine/types.ts';

/** What a person is asked to approve. */
export interface Asked {
  /** The tool and everything that it was called with. */
  readonly call: string;
  readonly directory: string;
  /** Of the plan that the person saw; `null` where the question is about commands. */
  readonly digest: string | null;
  /** The commands that the person is asked about, or has approved for this call before. */
  readonly commands: WantedCommands | null;
}

/**
 * The questions that are open. Each answer fits one question, once and soon: an approval of one thing cannot be used for another,
 * and none can be made up, because the question's name is not to be guessed.
 */
export class Approvals {
  readonly #now: () => number;
  readonly #open = new Map<string, Asked & { readonly until: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Opens a question and gives its name. */
  ask(asked: Asked): string {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= mostOpen) this.#open.delete(oldest);
    const name = randomUUID();
    this.#open.set(name, { ...asked, until: this.#now() + patienceMs });
    return name;
  }

  /** The question of this name about this call, which it closes; `null` where there is none. */
  take(name: unknown, call: string): Asked | null {
    if (typeof name !== 'string') return null;
    const asked = this.#open.get(name);
    this.#open.delete(name);
    return asked && asked.call === call && asked.until > this.#now() ? asked : null;
  }
}

const mostOpen = 100;
const patienceMs = 15 * 60_000;
