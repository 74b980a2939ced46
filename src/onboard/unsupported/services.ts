import type { Detect } from '../../ops/detect.ts';
import { content, payments } from './content.ts';
import { data, search } from './data.ts';
import { jobsAndCounts, messages } from './messages.ts';
import type { Service } from './service.ts';
import { signIn } from './sign-in.ts';

const services: readonly Service[] = [...signIn, ...data, ...search, ...content, ...payments, ...messages, ...jobsAndCounts];

/** A service that teams with previews use and that no adapter and no recipe manages. */
export interface Unsupported {
  readonly name: string;
  readonly title: string;
  readonly detect: Detect;
  /** The reason: no API can manage it, or nobody has written an adapter yet. */
  readonly why: string;
  /** The advice, or the place to ask. */
  readonly ask: string;
}

/** The services that `init` recognises and cannot manage. It names them, so that nobody looks for a missing line. */
export const unsupported: readonly Unsupported[] = services.map(({ name, title, detect, why, ask }) => ({
  name,
  title,
  detect,
  why: why ?? 'No adapter and no recipe manages it yet.',
  ask: ask ?? "Write it as an `http` line, or ask for it in the project's issues.",
}));
