import { content, payments } from './content.ts';
import { data, search } from './data.ts';
import { jobsAndCounts, messages } from './messages.ts';
import type { Service } from './service.ts';
import { signIn } from './sign-in.ts';

/** Every service that is recognised and not supported. */
export const services: readonly Service[] = [...signIn, ...data, ...search, ...content, ...payments, ...messages, ...jobsAndCounts];
