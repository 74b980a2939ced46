/** A line as the scheduler sees it. */
export interface Node {
  readonly id: string;
  /** Ids that must have succeeded first. */
  readonly after: readonly string[];
}

/**
 * Decides which lines may start, as plain code beside the coordinator machine: counts of unmet producers, linear in lines and edges.
 * A failure skips everything below it; every other line goes on.
 */
export class Schedule {
  readonly #unmet = new Map<string, number>();
  readonly #users = new Map<string, string[]>();
  readonly #open = new Set<string>();
  #ready: string[] = [];
  readonly #nearer = new Set<string>();

  constructor(nodes: readonly Node[]) {
    for (const node of nodes) {
      this.#open.add(node.id);
      this.#unmet.set(node.id, node.after.length);
      if (node.after.length === 0) this.#ready.push(node.id);
      else this.#nearer.add(node.id);
      for (const producer of node.after) {
        const users = this.#users.get(producer);
        if (users) users.push(node.id);
        else this.#users.set(producer, [node.id]);
      }
    }
  }

  /** Lines that became ready since the last call, in the order of the plan. */
  takeReady(): readonly string[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** Lines that still wait, and that began to wait or came nearer to their start since the last call. */
  takeWaiting(): readonly string[] {
    const waiting = [...this.#nearer].filter((id) => this.#open.has(id) && (this.#unmet.get(id) ?? 0) > 0);
    this.#nearer.clear();
    return waiting;
  }

  /** The line's outputs can be used, so lines that waited for it alone become ready. */
  succeed(id: string): void {
    this.#open.delete(id);
    for (const user of this.#users.get(id) ?? []) {
      const left = (this.#unmet.get(user) ?? 0) - 1;
      this.#unmet.set(user, left);
      if (left > 0) this.#nearer.add(user);
      else if (this.#open.has(user)) this.#ready.push(user);
    }
  }

  /** The line will give no outputs. Returns everything below it, nearest first. */
  fail(id: string): readonly string[] {
    this.#open.delete(id);
    const queue = [id];
    for (let at = 0; at < queue.length; at++) {
      const producer = queue[at];
      if (producer === undefined) continue;
      for (const user of this.#users.get(producer) ?? []) {
        if (!this.#open.has(user)) continue;
        this.#open.delete(user);
        queue.push(user);
      }
    }
    return queue.slice(1);
  }

  /** Lines that neither succeeded nor failed yet. */
  get open(): ReadonlySet<string> {
    return this.#open;
  }
}
