import { existsSync, writeFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Lets the host's git die right after the next push has moved its ref, whatever carries the push: the pusher never learns that it
 * landed. `afterwards` runs while that git still stands.
 */
export function loseNextAnswer(repository: string, afterwards: () => Promise<void> = async () => undefined): void {
  const at = (name: string): string => join(repository, name);
  const script = `#!/bin/sh
[ "$1" = committed ] || exit 0
rm "$0"
: > ${at('landed')}
i=0
while [ ! -e ${at('go')} ] && [ $i -lt 500 ]; do sleep 0.02; i=$((i + 1)); done
rm -f ${at('go')}
kill -9 $PPID
`;
  writeFileSync(at('hooks/reference-transaction'), script, { mode: 0o755 });
  void (async () => {
    for (let looks = 0; looks < 500 && !existsSync(at('landed')); looks += 1) await delay(20);
    await rm(at('landed'), { force: true });
    await afterwards();
    await writeFile(at('go'), '');
  })();
}
