import { matchesOf } from '../source.ts';
import type { Code } from './source-code.ts';
import type { Sense, Uses } from './uses.ts';

/** A class whose fields are variables, with what its subclasses take over. */
interface SettingsClass {
  readonly prefix: string;
}

const head = /^([ \t]*)class[ \t]+(\w+)[ \t]*\(((?:[^()]|\([^()]*\)){0,600})\)[ \t]*:[^\n]*\n/gm;
/** Bases of settings that another file declares have such names. */
const isBase = /(?:^|\.)(?:\w*BaseSettings|BaseEnv\w*|Env(?:Config|Settings)|\w+EnvSettings)$/;
const prefixIn = /\benv_prefix["']?\s*[:=]\s*["'](\w*)["']/;

/** Fields of pydantic's settings are variables of the same name, behind `env_prefix`. An alias is the name itself. */
export function settingsOfPydantic({ text }: Code, uses: Uses): void {
  if (!/Base(?:Settings|Env)|Env(?:Config|Settings)/.test(text)) return;
  const known = new Map<string, SettingsClass>();
  for (const match of text.matchAll(head)) {
    const [whole, indent = '', name = '', inside = ''] = match;
    const bases = inside.split(',').map((one) => one.trim());
    const base = bases.map((one) => known.get(one)).find((one) => one !== undefined);
    if (base === undefined && !bases.some((one) => isBase.test(one))) continue;
    const start = match.index + whole.length;
    const body = bodyAt(text, start, indent);
    const prefix = prefixIn.exec(inside)?.[1] ?? prefixIn.exec(body)?.[1] ?? base?.prefix ?? '';
    known.set(name, { prefix });
    addFields(body, { prefix, start }, uses);
  }
}

/** The lines below a head that stand further in. */
function bodyAt(text: string, start: number, indent: string): string {
  const lines: string[] = [];
  for (const line of text.slice(start, start + 40_000).split('\n')) {
    if (line.trim() !== '' && !/^[ \t]/.test(line.slice(indent.length)) && !/^[ \t]*\)/.test(line)) break;
    lines.push(line);
  }
  return lines.join('\n');
}

function addFields(body: string, { prefix, start }: { readonly prefix: string; readonly start: number }, uses: Uses): void {
  const indent = /^([ \t]+)\S/m.exec(body)?.[1] ?? '    ';
  const field = new RegExp(`^${indent}([A-Za-z]\\w{1,79})[ \\t]*:[ \\t]*([^\\n]{1,300}(?:\\n${indent}[ \\t)][^\\n]{0,300}){0,12})`, 'gm');
  for (const [own, name = '', rest = ''] of body.matchAll(field)) {
    if (name === 'model_config' || /\bClassVar\b/.test(rest)) continue;
    const at = start + body.indexOf(own);
    const named = /\b(?:validation_alias|alias|env)\s*=\s*((?:AliasChoices\s*\(|\[)[^)\]]{1,300}|["']\w+["'])/.exec(rest)?.[1];
    const aliases = [...(named ?? '').matchAll(/["']([A-Za-z]\w*)["']/g)].flatMap(([, one]) => one ?? []);
    const sense = senseOf(rest);
    for (const one of aliases.length > 0 ? aliases : [`${prefix}${name}`]) uses.add(one.toUpperCase(), at, sense, 'schema');
  }
}

function senseOf(type: string): Sense {
  const engine = /\b(Postgres|MySQL|Mongo|Redis|MariaDB)Dsn\b/.exec(type)?.[1]?.toLowerCase();
  if (engine === undefined) return {};
  return { opens: { engine: engine === 'mongo' ? 'mongodb' : engine === 'mariadb' ? 'mysql' : engine, by: 'pydantic' } };
}

/** Names of variables that code keeps in a list or a constant, and reads in a loop or by a function of its own. */
export function namesKept({ text, path, isQuoted }: Code, uses: Uses): void {
  const add = (list: string, at: number): void => {
    for (const [, name = ''] of list.matchAll(/["']([A-Z][A-Z0-9]*_[A-Z0-9_]{1,79})["']/g)) uses.add(name, at);
  };
  // `for name in ("A_KEY", "B_KEY"):` with `environ[name]` below.
  for (const match of text.matchAll(/\bfor\s+(\w+)\s+in\s*[([{]([^()[\]{}]{1,2000})[)\]}]/g)) {
    const after = text.slice(match.index, match.index + match[0].length + 400);
    const before = text.slice(Math.max(0, match.index - 200), match.index);
    if (readsBy(match[1] ?? '').test(`${before}${after}`)) add(match[2] ?? '', match.index);
  }
  // `REQUIRED = ["A_KEY", "B_KEY"]`, and a loop over it.
  for (const match of matchesOf(text, /^[ \t]*([A-Za-z_]\w{2,60})(?:\s*:[^=\n]{1,60})?\s*=\s*[([{]([^()[\]{}]{1,3000})[)\]}]/gm, 60)) {
    const loop = new RegExp(`\\bfor\\s+(\\w+)\\s+in\\s+${match[1]}\\b`).exec(text);
    if (loop && readsBy(loop[1] ?? '').test(text.slice(Math.max(0, loop.index - 200), loop.index + 500))) add(match[2] ?? '', match.index);
  }
  // `SHOP_KEY = "SHOP_KEY"`.
  for (const match of text.matchAll(/^[ \t]*(\w+_\w+)(?:\s*:[^=\n]{1,60})?\s*=\s*["']\1["'][ \t]*$/gm))
    uses.add(match[1] ?? '', match.index);
  if (!/(?:^|[/_])(?:settings|config|conf|env|environment|constants)(?:[_./]|$)/.test(path)) return;
  for (const match of text.matchAll(
    /[(,]\s*(?:name|key|var|var_name|env|env_var|env_name)\s*=\s*["']([A-Z][A-Z0-9]*_[A-Z0-9_]{1,79})["']/g,
  ))
    if (!isQuoted(match.index)) uses.add(match[1] ?? '', match.index);
}

const readsBy = (local: string): RegExp =>
  new RegExp(
    `\\b(?:environ(?:\\.get)?|getenv|env|get_env\\w*)\\s*[([]\\s*${local}\\b|\\b${local}\\s+(?:not\\s+)?in\\s+(?:os\\.)?environ\\b`,
  );

/** `st.secrets["SHOP_KEY"]` and `st.secrets["stripe"]["key"]` of Streamlit. */
export function secretsOfStreamlit({ text, isQuoted }: Code, uses: Uses): void {
  for (const match of text.matchAll(
    /\bst\.secrets((?:\.(?!get\b)\w{2,60}|\[\s*["'][\w-]{2,60}["']\s*\]|\.get\(\s*["'][\w-]{2,60}["'])+)/g,
  )) {
    if (isQuoted(match.index)) continue;
    const parts = [...(match[1] ?? '').matchAll(/\.get\(\s*["']([\w-]+)|["']([\w-]+)["']|\.(\w+)/g)].map(
      ([, a, b, c]) => a ?? b ?? c ?? '',
    );
    uses.add(parts.join('_').replaceAll('-', '_').toUpperCase(), match.index);
  }
}
