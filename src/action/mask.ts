import { setSecret } from '@actions/core';
import { isOrdinary } from '../core/ordinary.ts';
import { TextFinder } from '../core/text-finder.ts';
import { isSecretName } from '../plan/secret-names.ts';
import type { Log } from './log.ts';

/**
 * Tells the runner a secret, and each of its lines: it masks line by line, in the whole log of the job. It knows no structure, so it is not
 * told of what reads like an ordinary word: with "create" as a secret the log of every step would be unreadable. What pilotfish itself
 * prints is masked without it.
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

/** What the variables of a job hold under names of credentials, before anything else is done. */
export function maskVariables(env: NodeJS.ProcessEnv, mask: (secret: string) => void): void {
  for (const [name, value] of Object.entries(env)) if (value && isSecretName(name)) mask(value);
}
