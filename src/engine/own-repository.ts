import type { CodeHost } from '../host/code-host.ts';
import type { RepositoryFacts } from '../platform/checkout.ts';

/** Whether a ledger names this repository, by any name that this run knows without a question: no letter case counts. */
export function ownNames(host: CodeHost, facts: RepositoryFacts | null, location: string): (name: string) => boolean {
  const ours = new Set([host.repository, facts?.slug, facts?.remoteUrl, location].map((one) => one?.toLowerCase()));
  return (name) => ours.has(name.toLowerCase());
}
