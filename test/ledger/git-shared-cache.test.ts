import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openGitStore } from '../../src/ledger/stores/git/git-store.ts';
import { cleanGitEnv } from '../support/git-remote.ts';
import { quickClock } from '../support/quick-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';

const branch = 'pilotfish-receipts/preview/pr-1';

/** What git says of the repository that it fetches into, while a fetch of another process is at work in it. */
it.each([
  'fatal: shallow file has changed since we read it',
  "fatal: Unable to create '/cache.git/shallow.lock': File exists.",
  "error: cannot lock ref 'refs/seen/heads/x': is at 1 but expected 2",
])('a fetch that finds another one in the same cache is tried again: %s', async (words) => {
  const root = await tempFolder('shared-cache');
  const [remote, bin, calls] = [join(root, 'remote.git'), join(root, 'bin'), join(root, 'calls')];
  const env = cleanGitEnv(root);
  await promisify(execFile)('git', ['init', '--quiet', '--bare', remote], { env });
  const first = openGitStore({ url: remote, cwd: root, env, clock: quickClock });
  await first.append(branch, new Map([['a.json', '1']]), null, 'first');

  await mkdir(bin);
  await writeFile(join(root, 'words'), words);
  const script = `#!/bin/sh
case " $* " in *" fetch "*)
  echo fetch >> ${calls}
  if [ "$(wc -l < ${calls})" -lt 3 ]; then cat ${join(root, 'words')} >&2; exit 128; fi ;;
esac
PATH=\${PATH#*:} exec git "$@"
`;
  await writeFile(join(bin, 'git'), script, { mode: 0o755 });
  const elsewhere = cleanGitEnv(join(root, 'elsewhere'));
  const store = openGitStore({ url: remote, cwd: root, env: { ...elsewhere, PATH: `${bin}:${elsewhere.PATH}` }, clock: quickClock });
  expect((await store.read(branch))?.files.get('a.json')).toBe('1');
  expect(await readFile(calls, 'utf8')).toBe('fetch\n'.repeat(3));
});
