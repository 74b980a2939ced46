import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { root, run } from '../tasks.ts';

/** A rule of the protocol, and one way to break it: a text in a file, and its replacement. */
export interface Breach {
  readonly rule: string;
  readonly what: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const exec = promisify(execFile);

/** Makes a copy of the working tree for mutations. The copy shares the installed packages. */
export async function copyTree(folder: string): Promise<void> {
  const { stdout } = await exec('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  for (const file of stdout.split('\0').filter((name) => name !== '')) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file)).catch((error: NodeJS.ErrnoException) => {
      // git still lists a file that was deleted but not committed.
      if (error.code !== 'ENOENT') throw error;
    });
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
}

/** Breaks each rule in each known way, one at a time, and returns the breaches that no test of the rule noticed. */
export async function breakRules(folder: string, say: (text: string) => void, only: string | null): Promise<readonly Breach[]> {
  const unnoticed: Breach[] = [];
  const lost = await lostBreaches(folder);
  if (lost.length > 0) throw new Error(`scripts/mutate/rules.yaml is out of date:\n${lost.join('\n')}`);
  const chosen = (await breachesIn(folder)).filter(({ rule, what }) => only === null || `${rule}: ${what}`.includes(only));
  for (const breach of chosen) {
    const path = join(folder, breach.file);
    const whole = await readFile(path, 'utf8');
    await writeFile(
      path,
      whole.replace(breach.from, () => breach.to),
    );
    const isRed = await isNoticed(folder, breach.rule);
    await writeFile(path, whole);
    say(`${isRed ? 'noticed  ' : 'UNNOTICED'}  ${breach.rule}: ${breach.what}`);
    if (!isRed) unnoticed.push(breach);
  }
  say(`${chosen.length} breaches of the rules, ${unnoticed.length} unnoticed`);
  return unnoticed;
}

/** Tells whether a test failed. A file that cannot be loaded proves nothing. */
async function isNoticed(folder: string, rule: string): Promise<boolean> {
  const args = ['run', 'test/lifecycle/protocol-', '-t', `${rule} `, '--bail=1', '--reporter=dot'];
  const { code, output } = await run('vitest', args, { cwd: folder, env: { NO_COLOR: '1' } });
  return code !== 0 && /Tests\s+\d+ failed/.test(output);
}

async function breachesIn(folder: string): Promise<readonly Breach[]> {
  const rules: { readonly [rule: string]: readonly Omit<Breach, 'rule'>[] } = parse(
    await readFile(join(folder, 'scripts/mutate/rules.yaml'), 'utf8'),
  );
  return Object.entries(rules).flatMap(([rule, ways]) => ways.map((way) => ({ rule, ...way })));
}

/** A sentence for each breach whose text is no longer in its file. */
export async function lostBreaches(folder: string): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const { rule, what, file, from } of await breachesIn(folder)) {
    const text = await readFile(join(folder, file), 'utf8').catch(() => '');
    if (!text.includes(from)) lost.push(`${file} no longer holds the text of "${rule}: ${what}"`);
  }
  return lost;
}
