import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

interface Notice {
  /** The package, with the lines of its text that say whose it is. */
  readonly head: string;
  readonly text: string;
}

/** The licences of every package in the bundle. They must go with the code. A text stands once, under the packages that have it. */
export async function licenseNotices(modules: readonly string[], root: string): Promise<string> {
  const folders = [...new Set(modules.flatMap((id) => packageFolder(id)))].sort();
  const notices = await Promise.all(folders.map((folder) => notice(join(root, 'node_modules', folder))));
  // The same text has lines of other lengths in other packages.
  const groups = Map.groupBy(notices, ({ text }) => text.replace(/\s+/g, ' '));
  return ['This package contains the following packages.', ...[...groups.values()].map(section)].join(`\n\n${'-'.repeat(80)}\n\n`);
}

const section = (notices: readonly Notice[]): string =>
  [...new Set(notices.map(({ head }) => head)), ...notices.slice(0, 1).map(({ text }) => text)].join('\n\n').trim();

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

async function notice(folder: string): Promise<Notice> {
  const about: { name?: string; version?: string; license?: string } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((name) => /^(licen[cs]e|notice)/i.test(name)).sort();
  const texts = await Promise.all(files.map(async (name) => (await readFile(join(folder, name), 'utf8')).trim()));
  const lines = texts.join('\n\n').split(/\r?\n/);
  const owners = lines.slice(0, 8).filter((line) => /^\s*copyright\b.*\d{4}/i.test(line));
  return {
    head: [`${about.name} ${about.version} (${about.license ?? 'see below'})`, ...owners.map((line) => line.trim())].join('\n'),
    text: lines
      .filter((line) => !owners.includes(line))
      .join('\n')
      .trim(),
  };
}
