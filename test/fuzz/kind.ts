import type { Random } from './random.ts';

/** A piece of an input that may be cut down: a file, an answer's body, an argument. */
export interface Part {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Everything that one trial needs, as data: it can be printed, sent to another process and cut down. */
export interface Input {
  /** What is done with it, for people and for the kind: `apply --destroy`. */
  readonly how: string;
  readonly parts: readonly Part[];
}

/** How one trial ended. */
export interface Outcome {
  /** Codes of the errors that were told; empty for a run that went well. */
  readonly codes: readonly string[];
  /** What must not be, in a sentence that is equal for equal defects; `null` when all is well. */
  readonly finding: string | null;
}

/** One way of lying to pilotfish. */
export interface Kind {
  readonly name: string;
  /** How many of a hundred inputs are of this kind. */
  readonly share: number;
  /** Learns what honest inputs look like; once a process. */
  prepare(folder: string): Promise<void>;
  /** Makes the input of a seed. */
  make(random: Random): Input;
  run(input: Input): Promise<Outcome>;
}

export const part = (name: string, bytes: Buffer | string): Part => ({
  name,
  bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
});

export const bytesOf = (input: Input, name: string): Buffer | null => input.parts.find((one) => one.name === name)?.bytes ?? null;
