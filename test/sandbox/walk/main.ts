import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from 'pilotfish-sandbox/serve/sandbox';
import { setup as writePageFiles } from '../../../scripts/build/page.ts';
import { optionsOf } from '../../../scripts/options.ts';
import { root } from '../../../scripts/tasks.ts';
import { findTodos } from '../../../src/onboard/standing.ts';
import { pilotfish } from '../../onboard/command.ts';
import { fillIn, withComments } from '../../onboard/fill-in.ts';
import { allRepositories, layOut } from '../../onboard/repositories.ts';
import { openPictures } from './pictures.ts';
import { flawsOf, knowledgeOf, live, turnOn } from './stranger.ts';

/** The plan of a fixture as `init` drafts it, with every line that stands as a comment, and the values that the sandbox lists. */
export async function draftOf(name: string, folder: string, sandbox: Sandbox): Promise<string | null> {
  await layOut(name, folder);
  const told = await pilotfish(['init'], { cwd: folder });
  const text = await readFile(join(folder, 'release.plan.yaml'), 'utf8').catch(() => null);
  if (told.code !== 0 || text === null) return null;
  const plan = withComments(text);
  if (!/^ {2}- id: /m.test(plan)) return null;
  return fillIn(plan, findTodos(plan, 'release.plan.yaml'), knowledgeOf(sandbox.providers));
}

export const examples: readonly string[] = (await readdir(join(root, 'examples'), { withFileTypes: true })).flatMap((entry) =>
  entry.isDirectory() && entry.name !== 'ci' ? [entry.name] : [],
);

async function main(): Promise<void> {
  const { only, untidy, pictures } = optionsOf('npm run sandbox -- [--only <name>] [--untidy] [--pictures <folder>]', {
    options: { only: { type: 'string' }, untidy: { type: 'boolean' }, pictures: { type: 'string' } },
  }).values;
  await writePageFiles();
  const place = await mkdtemp(join(tmpdir(), 'pilotfish-sandbox-walk-'));
  const album = pictures === undefined ? null : await openPictures(pictures);
  const rows: string[] = [];
  let bad = 0;
  const walk = async (kind: string, name: string, planIn: (sandbox: Sandbox, folder: string) => Promise<string | null>): Promise<void> => {
    if (typeof only === 'string' && only !== name) return;
    const state = join(place, `${kind}-${name}-state`);
    const folder = join(place, `${kind}-${name}`);
    const sandbox = await startSandbox({ state, port: null, version: 'walk' });
    try {
      const plan = await planIn(sandbox, folder);
      if (untidy) await turnOn(sandbox, 'untidy');
      const seen: string[] = [];
      const onStands = async (): Promise<void> => void seen.push(...((await album?.take(`${kind}-${name}`, sandbox.url)) ?? []));
      const flaws = plan === null ? null : [...flawsOf(await live(sandbox, { state, folder, plan, onStands })), ...seen];
      if (flaws !== null && flaws.length > 0) bad += 1;
      const told = flaws === null ? 'no line' : flaws.length === 0 ? 'ok' : flaws.join('\n    ');
      rows.push(told);
      console.log(`${kind} ${name}: ${told}`);
    } catch (error) {
      bad += 1;
      console.log(`${kind} ${name}: ${String(error)}`);
    } finally {
      await sandbox.stop();
    }
  };
  for (const name of examples) await walk('example', name, () => readFile(join(root, 'examples', name, 'release.plan.yaml'), 'utf8'));
  for (const name of allRepositories) await walk('fixture', name, (sandbox, folder) => draftOf(name, folder, sandbox));
  await album?.close();
  await rm(place, { recursive: true, force: true });
  const count = (told: string): number => rows.filter((row) => row === told).length;
  console.log(`${count('ok')} plans were applied and taken away, ${count('no line')} repositories have no line, ${bad} failed`);
  process.exitCode = bad === 0 ? 0 : 1;
}

if (import.meta.main) await main();
