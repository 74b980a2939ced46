import { execFile } from 'node:child_process';
import { mkdir, open, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const fixtures = join(import.meta.dirname, 'fixtures');
const run = promisify(execFile);

/** Fixtures whose plan is judged and whose text is not kept. */
const more = join(fixtures, 'more');

/** Repositories of real shape, by name: those of `fixtures/`, and those that no text file can hold. What init writes there is kept. */
export const repositories: readonly string[] = [...(await namesIn(fixtures)), 'large-tree', 'links-and-pipes'].sort();

/** The same, and those of `fixtures/more/`. */
export const allRepositories: readonly string[] = [...repositories, ...(await namesIn(more))].sort();

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith('.txt')).map((file) => basename(file, '.txt'));
}

/** What a fixture holds: path → text. */
export async function filesOf(name: string): Promise<ReadonlyMap<string, string>> {
  const path = join(repositories.includes(name) ? fixtures : more, `${name}.txt`);
  return readFileSet(await readFile(path, 'utf8'), path);
}

/** The files of a text: path → text. Each begins with a line `==> path <==`. */
export function readFileSet(text: string, source: string): ReadonlyMap<string, string> {
  const parts = text.split(/^==> (.+) <==\n/m);
  if (parts[0] !== '') throw new Error(`${source} begins with a file that has no name`);
  return new Map(Array.from({ length: (parts.length - 1) / 2 }, (_, i) => [parts[2 * i + 1] ?? '', parts[2 * i + 2] ?? '']));
}

/** Puts a fresh clone of `https://github.com/acme/shop` into the folder. */
export async function layOut(name: string, folder: string): Promise<void> {
  await write(
    folder,
    new Map([
      ['.git/HEAD', 'ref: refs/heads/main\n'],
      ['.git/objects/.keep', ''],
      ['.git/refs/.keep', ''],
      [
        '.git/config',
        `[core]\n\tbare = false\n[remote "origin"]\n\turl = https://github.com/acme/shop.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
      ],
    ]),
  );
  if (name === 'large-tree') await largeTree(folder);
  else if (name === 'links-and-pipes') await linksAndPipes(folder);
  else await write(folder, await filesOf(name));
}

export async function write(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** 50 MB of videos and a database dump beside a small site, and installed packages that speak of other providers. */
async function largeTree(folder: string): Promise<void> {
  await write(
    folder,
    new Map([
      ['package.json', json({ name: 'films', private: true, dependencies: { '@sanity/client': '^6.28.3', astro: '^5.4.0' } })],
      ['netlify.toml', '[build]\n  command = "astro build"\n  publish = "dist"\n'],
      ['.gitignore', 'node_modules/\ndist/\n'],
      ['.env.example', 'SANITY_PROJECT_ID=\n'],
      ['node_modules/@neondatabase/serverless/package.json', json({ name: '@neondatabase/serverless', version: '0.10.4' })],
      ['node_modules/launchdarkly-node-server-sdk/.env.example', 'LAUNCHDARKLY_SDK_KEY=\n'],
      ['dist/vercel.json', '{}\n'],
    ]),
  );
  await mkdir(join(folder, 'public/films'), { recursive: true });
  for (let i = 0; i < 40; i += 1) await sized(join(folder, `public/films/${i}.mp4`), 1 << 20);
  await sized(join(folder, 'backup.sql'), 10 << 20);
}

/** A file of that many bytes. */
async function sized(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w');
  await file.truncate(bytes);
  await file.close();
}

/** Folders that lead back to themselves, links to nowhere and out of the repository, a pipe and bytes that are no text. */
async function linksAndPipes(folder: string): Promise<void> {
  await write(
    folder,
    new Map([
      [
        'package.json',
        json({ name: 'loops', private: true, workspaces: ['apps/*'], dependencies: { '@neondatabase/serverless': '^0.10.4' } }),
      ],
      ['apps/web/package.json', json({ name: 'web', private: true, dependencies: { '@clerk/nextjs': '^6.12.0' } })],
      ['apps/web/vercel.json', '{}\n'],
      ['.gitignore', 'node_modules\n'],
    ]),
  );
  await symlink('..', join(folder, 'apps/again'));
  await symlink('../..', join(folder, 'apps/web/root'));
  await symlink('self', join(folder, 'self'));
  await symlink('gone/wrangler.toml', join(folder, 'wrangler.toml'));
  await symlink('/', join(folder, 'machine'));
  // A read of it would wait for a writer until the end of days.
  await run('mkfifo', [join(folder, 'netlify.toml'), join(folder, '.env.local')]);
  await writeFile(
    join(folder, '.env.example'),
    Buffer.concat([Buffer.from('DATABASE_URL=\0\xff\xfe\n', 'latin1'), Buffer.from('CLERK_SECRET_KEY=\r\n')]),
  );
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
