import type { Detect } from '../../ops/detect.ts';

/** A service that is told as not supported, with what tells of it. */
export interface Service {
  readonly name: string;
  readonly title: string;
  /** Why nothing can manage it; left out where nothing does so yet. */
  readonly why?: string;
  /** What to do instead. */
  readonly ask?: string;
  readonly detect: Detect;
}
