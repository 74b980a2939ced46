/** The local names of a file, with the modules that they come from. Relative modules are left out. */
export function importsIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (names: string, module: string): void => {
    if (/^(?:\.|\/|~|#|@\/|\$lib|node:)/.test(module)) return;
    for (const name of localNames(names)) found.set(name, module);
  };
  for (const match of text.matchAll(importing)) add(match[1] ?? '', match[2] ?? '');
  for (const match of text.matchAll(requiring)) add(match[1] ?? '', match[2] ?? '');
  return found;
}

const importing = /\bimport\s+(?:type\s+)?((?:[\w$]+\s*,?\s*)?(?:\{[^{}]{0,3000}\}|\*\s*as\s+[\w$]+)?)\s*from\s*["']([^"'\n]{1,200})["']/g;
const requiring =
  /\b(?:const|let|var)\s+([\w$]+|\{[^{}]{1,500}\})\s*=\s*(?:await\s+)?(?:require|import)\(\s*["']([^"'\n]{1,200})["']\s*\)/g;

/** `Stripe, { Webhook as Hook }` and `* as Sentry` give `Stripe`, `Hook` and `Sentry`. */
const localNames = (names: string): readonly string[] =>
  names.split(/[{},]/).flatMap((part) => /([\w$]+)\s*$/.exec(part.replace(/^\s*type\s+/, '').trim())?.[1] ?? []);
