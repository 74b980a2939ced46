import { setSecret } from '@actions/core';
import { TextFinder } from '../core/text-finder.ts';
import { isSecretName } from '../plan/secret-literal.ts';
import type { Log } from './log.ts';

/** Tells the runner a secret, and each of its lines: it masks line by line. What is as short as a word would mask ordinary text. */
export function maskIn(log: Log): (secret: string) => void {
  const known = new Set<string>();
  return (secret) => {
    const lines = secret.split(/\r\n|\r|\n/).map((line) => line.trim());
    const news = new Set([secret.trim(), ...lines].filter((text) => text.length >= TextFinder.shortest && !known.has(text)));
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
