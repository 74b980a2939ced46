import type { Fact, FactReader } from '../../facts.ts';
import { linesOf, matchesOf, useOfCode, useOfSettings, withoutComments } from '../source.ts';

/** `Application.get_env(:shop, :mailchimp)[:api_key]`, `Application.fetch_env!(:shop, :mailchimp_api_key)`. */
const asked =
  /\bApplication\.(?:get_env|fetch_env!?|compile_env!?)\(\s*:\w{1,60}\s*,\s*(?:\[?\s*):?([A-Za-z][\w.]{1,80})(?:\s*,\s*:(\w{1,60}))?[^()\n]{0,60}\)(?:\[:(\w{1,60})\])?/g;

/** `config :shop, :mailchimp, …`, `config :shop, Shop.Mailchimp, …`, `config :shop, mailchimp_api_key: …`, up to the next one. */
const blocks =
  /^[ \t]*config[ \t(]+:(\w{1,60})\s*,\s*(?::(\w{1,60})\s*,|([A-Z][\w.]{1,80})\s*,)?([\s\S]{0,3000}?)(?=^[ \t]*(?:config|import_config|end)\b|(?![\s\S]))/gm;

/** Libraries of the language itself have the same keys in every app. */
const plain = new Set(['logger', 'phoenix', 'esbuild', 'tailwind', 'dart_sass', 'ecto', 'mime', 'elixir']);

/** Settings of an app of Elixir by their keys: `mailchimp.api_key`, `mailchimp_api_key`. */
export const elixirSettings: FactReader = {
  name: 'settings of Elixir',
  isCode: true,
  endings: ['ex', 'exs'],
  takes: (path) => path.endsWith('.ex') || /(?:^|\/)config\/[\w./-]+\.exs$/.test(path),
  read: ({ path, text }) => {
    const isConfig = path.endsWith('.exs');
    if (!isConfig && !text.includes('Application.')) return {};
    const code = withoutComments(text, 'hash');
    const lineOf = linesOf(code);
    const use = isConfig ? useOfSettings(path) : useOfCode(path);
    const facts = new Map<string, Fact>();
    const add = (parts: readonly (string | undefined)[], at: number): void => {
      const name = parts.filter((part) => part !== undefined && part !== '').join('.');
      if (!facts.has(name)) facts.set(name, { kind: 'setting', name, file: path, line: lineOf(at), use });
    };
    if (isConfig) {
      for (const match of matchesOf(code, blocks, 500)) {
        const [, app = '', key, module, body = ''] = match;
        if (plain.has(app)) continue;
        const above = key ?? module?.slice(module.lastIndexOf('.') + 1);
        for (const inner of body.matchAll(/(?<![\w:.])([a-z]\w{1,60}):\s/g)) add([above, inner[1]], match.index);
      }
    } else {
      for (const match of matchesOf(code, asked, 500)) {
        const [, key = '', inner, member] = match;
        add([key.slice(key.lastIndexOf('.') + 1), inner ?? member], match.index);
      }
    }
    return { facts: [...facts.values()] };
  },
};
