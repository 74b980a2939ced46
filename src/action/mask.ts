import { setSecret } from '@actions/core';
import { isOrdinary } from '../core/ordinary.ts';
import { TextFinder } from '../core/text-finder.ts';
import { isSecretName } from '../plan/secret-names.ts';
import type { Log } from './log.ts';

/**
 * Tells the runner a secret and each of its lines, because the runner masks line by line, in the whole log of the job. The runner knows no
 * structure, so it must not learn a secret that reads like an ordinary word: with "create" as a secret the log of every step would be
 * unreadable. pilotfish masks its own output without the runner.
 */
export function maskIn(log: Log): (secret: string) => void {
  const known = new Set<string>();
  return (secret) => {
    const lines = secret.split(/\r\n|\r|\n/).map((line) => line.trim());
    const news = new Set(
      [secret.trim(), ...lines].filter((text) => text.length >= TextFinder.shortest && !isOrdinary(text) && !known.has(text)),
    );
    if (news.size === 0) return;
    log.command(() => {
      for (const text of news) {
        known.add(text);
        setSecret(text);
      }
    });
  };
}

/** Masks the variables of a job that have names of credentials, before anything else happens. */
export function maskVariables(env: NodeJS.ProcessEnv, mask: (secret: string) => void): void {
  for (const [name, value] of Object.entries(env)) if (value && isSecretName(name)) mask(value);
}
