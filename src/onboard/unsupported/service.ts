import type { Detect } from '../../ops/detect.ts';

/** A service that `init` reports as not supported, with the marks by which it is recognised. */
export interface Service {
  readonly name: string;
  readonly title: string;
  /** The reason why nothing can manage it. Absent if nobody has written an adapter yet. */
  readonly why?: string;
  /** The advice for a person. */
  readonly ask?: string;
  readonly detect: Detect;
}
