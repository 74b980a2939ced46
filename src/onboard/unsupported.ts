import type { Detect } from '../adapters/op.ts';

/** A service that teams with previews use and that no adapter and no recipe manages. */
export interface Unsupported {
  readonly name: string;
  readonly title: string;
  readonly detect: Detect;
  /** Why: no API can, or nobody wrote it yet. */
  readonly why: string;
  /** What to do instead, or where to ask. */
  readonly ask: string;
}

export async function readUnsupported(): Promise<readonly Unsupported[]> {
  return [];
}
