import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { optionsOf } from './options.ts';
import { lookAtSite } from './site/look.ts';
import { stage } from './site/stage.ts';
import { type Outcome, root, run } from './tasks.ts';

const folder = join(root, 'site');
const usage = 'npm run site -- [--look]\n  --look  look at every page in a browser, too';

/**
 * Builds the docs as a static site into `site/html`. The site has a search and sends no request to another host. A dead link fails the
 * build.
 */
export async function buildSite(): Promise<Outcome> {
  const start = performance.now();
  const { pages, pictures } = await stage(join(folder, 'pages'));
  const { code, output } = await run('vitepress', ['build', join(folder, 'pages')]);
  if (code !== 0) return { code, output };
  const empty = await emptyPages(join(folder, 'html'));
  if (empty.length > 0) return { code: 1, output: `These pages of the site are empty: ${empty.join(', ')}.` };
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  const megabytes = ((await sizeOf(join(folder, 'html'))) / 1_000_000).toFixed(1);
  return { code, output: `${pages} pages and ${pictures} pictures in site/html: ${megabytes} MB, ${seconds} s` };
}

/** Pages whose text the build could not render. VitePress says nothing of them. */
async function emptyPages(path: string): Promise<readonly string[]> {
  const files = (await readdir(path, { recursive: true })).filter((file) => file.endsWith('.html') && file !== '404.html');
  const texts = await Promise.all(files.map((file) => readFile(join(path, file), 'utf8')));
  return files.filter((_, i) => !/class="vp-doc[^>]*><div>/.test(texts[i] ?? ''));
}

async function sizeOf(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const sizes = entries.filter((entry) => entry.isFile()).map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** Builds the site, and checks it in a browser if there is one. */
export async function checkSite(): Promise<Outcome> {
  const built = await buildSite();
  if (built.code !== 0) return built;
  const look = await lookAtSite(join(folder, 'html'));
  if (look.kind === 'skipped') return { code: 0, output: `${built.output}\nnot looked at, because ${look.why}` };
  const seen = `${look.pages} pages looked at, ${look.problems.length} problems`;
  return { code: look.problems.length === 0 ? 0 : 1, output: [built.output, seen, ...look.problems].join('\n') };
}

if (import.meta.main) {
  const { values } = optionsOf(usage, { options: { look: { type: 'boolean' } } });
  const { code, output } = await (values.look ? checkSite() : buildSite());
  console.log(output);
  process.exitCode = code;
}
