import type { Fact } from '../../facts.ts';
import { matchesOf } from '../source.ts';
import type { Code } from './source-code.ts';
import type { Uses } from './uses.ts';

/** `.stripe`, `&.dig(:stripe, :key)`, `[:stripe]`, `.fetch(:stripe)`, and `!` behind each. */
const step = String.raw`(?:&?\.(?:dig|fetch)\(\s*[^()\n]{1,120}\)|&?\.(?!dig\b|fetch\b)[a-z]\w{0,60}[!?]?|\[\s*:?["']?\w{1,60}["']?\s*\])!?`;
const credentials = new RegExp(String.raw`\b(?:Rails\.app(?:lication)?\.(?:credentials|secrets)|Settings)((?:${step}){1,4})`, 'g');

/** Rails keeps credentials in an encrypted file and code names them: `Rails.application.credentials.dig(:stripe, :key)`. */
export function credentialsOfRails(code: Code): readonly Fact[] {
  const found = new Map<string, Fact>();
  for (const { index, 1: chain = '' } of matchesOf(code.text, credentials, 500)) {
    if (code.isQuoted(index)) continue;
    const keys = [...chain.matchAll(/[:"'.[](?!dig\b|fetch\b)([A-Za-z]\w{0,60})/g)].map(([, key = '']) => key.toLowerCase());
    const name = ['credentials', ...keys].join('.');
    found.set(name, { kind: 'setting', name, file: code.path, line: code.lineAt(index), use: code.use });
  }
  return [...found.values()];
}

/** `Figaro.env.stripe_key` and a setting of Hanami are variables of the same name. */
export function variablesOfRuby({ text, isQuoted }: Code, uses: Uses): void {
  for (const match of text.matchAll(/\bFigaro\.env\.([a-z]\w{2,60})[!?]?/g))
    if (!isQuoted(match.index)) uses.add((match[1] ?? '').toUpperCase(), match.index);
  if (!/<\s*Hanami::Settings\b/.test(text)) return;
  for (const match of text.matchAll(/^[ \t]*setting[ (]:([a-z]\w{2,60})/gm))
    uses.add((match[1] ?? '').toUpperCase(), match.index, {}, 'schema');
}
