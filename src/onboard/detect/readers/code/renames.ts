import type { Rename } from '../../facts.ts';
import type { Code } from './source-code.ts';

/** `text.replaceAll(/^PUBLIC_/gm, 'NEXT_PUBLIC_')`, `.replace('PUBLIC_', "VITE_")`. */
const replacing =
  /\.replace(?:All)?\(\s*(?:\/\^?([A-Z][A-Z0-9_]*_|\(?\?=|)\/[a-z]*|["'`]([A-Z][A-Z0-9_]*_)["'`])\s*,\s*["'`]([A-Z][A-Z0-9_]*_)?["'`]/g;
/** `env["NEXT_PUBLIC_" + name] = env[name]`, `` out[`VITE_${key}`] = value ``. */
const adding = /\[\s*(?:["']([A-Z][A-Z0-9_]*_)["']\s*\+|`([A-Z][A-Z0-9_]*_)\$\{)\s*\w+[^\]\n]{0,20}\]\s*=/g;

/** The renames of a script that writes `.env` files: it gives names another prefix. */
export function renamesOfJavascript(code: Code): readonly Rename[] {
  const { text, path } = code;
  if (!/\.env\b|dotenv/.test(text)) return [];
  const found: Rename[] = [];
  for (const match of text.matchAll(replacing)) {
    const [from, to] = [match[1] ?? match[2] ?? '', match[3] ?? ''];
    if (from !== to) found.push(prefixOf(code, match.index, from, to));
  }
  for (const match of text.matchAll(adding)) found.push(prefixOf(code, match.index, '', match[1] ?? match[2] ?? ''));
  return found.filter(({ to, from }) => to !== '' || from !== '').map((one) => ({ ...one, file: path }));
}

function prefixOf(code: Code, at: number, from: string, to: string): Rename {
  return { file: code.path, line: code.lineAt(at), from, to, isPrefix: true, folder: folderAround(code.text, at) };
}

/** The folder of the `.env` file that the same statement writes: `writeFileSync('apps/web/.env', …)`. */
export function folderAround(text: string, at: number): string | null {
  const start = Math.max(text.lastIndexOf(';', at), text.lastIndexOf('\n', at), at - 300) + 1;
  const end = text.slice(at, at + 300).search(/[;\n]/);
  const statement = text.slice(start, end < 0 ? at + 300 : at + end);
  const found = /(?:^|["'`\s>=/(])(?:\.\/)?((?:[\w@.-]+\/)*)\.env(?:\.[\w.]+)?(?=["'`\s)]|$)/.exec(statement)?.[1];
  return found === undefined || found === '' ? null : found.replace(/\/$/, '');
}
