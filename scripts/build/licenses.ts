import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** The licences of every package in the bundle. They must go with the code. */
export async function licenseNotices(modules: readonly string[], root: string): Promise<string> {
  const folders = [...new Set(modules.flatMap((id) => packageFolder(id)))].sort();
  const notices = await Promise.all(folders.map((folder) => notice(join(root, 'node_modules', folder))));
  return ['This package contains the following packages.', ...new Set(notices)].join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** `…/node_modules/a/node_modules/@b/c/x.js` → `a/node_modules/@b/c`; nothing for a file of ours. */
function packageFolder(id: string): string[] {
  const marker = `${sep}node_modules${sep}`;
  const inside = id.indexOf(marker);
  if (inside < 0) return [];
  const path = id.slice(inside + marker.length);
  const last = path.lastIndexOf(marker);
  const head = last < 0 ? '' : path.slice(0, last + marker.length);
  const parts = path.slice(head.length).split(sep);
  return [head + parts.slice(0, parts[0]?.startsWith('@') ? 2 : 1).join(sep)];
}

async function notice(folder: string): Promise<string> {
  const about: { name?: string; version?: string; license?: string } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((name) => /^(licen[cs]e|notice)/i.test(name)).sort();
  const texts = await Promise.all(files.map(async (name) => (await readFile(join(folder, name), 'utf8')).trim()));
  return [`${about.name} ${about.version} (${about.license ?? 'see below'})`, ...texts].join('\n\n');
}
