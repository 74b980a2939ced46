import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { signedIn } from '../serve/providers.ts';

const asks: Readonly<Record<string, string>> = {
  gcloud: 'auth print-access-token',
  az: 'account get-access-token --query accessToken -o tsv',
};

/**
 * Writes the command lines that hand out tokens, as a person has them who is signed in, and gives a PATH on which they come first. They
 * know nothing but that question.
 */
export function signedInPath(state: string, path: string): string {
  const folder = join(state, 'bin');
  mkdirSync(folder, { recursive: true });
  for (const [name, asked] of Object.entries(asks)) {
    const refusal = `the sandbox's ${name} knows only: ${name} ${asked}`;
    writeFileSync(
      join(folder, name),
      `#!/bin/sh\nif [ "$*" = "${asked}" ]; then echo ${signedIn.full}; exit 0; fi\necho "${refusal}" >&2\nexit 2\n`,
    );
    chmodSync(join(folder, name), 0o755);
    writeFileSync(
      join(folder, `${name}.cmd`),
      `@echo off\r\nif "%*"=="${asked}" (echo ${signedIn.full}& exit /b 0)\r\necho ${refusal} 1>&2\r\nexit /b 2\r\n`,
    );
  }
  return `${folder}${delimiter}${path}`;
}
