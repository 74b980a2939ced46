/** A name that Nuxt reads for a member of its runtime configuration. */
export interface NuxtName {
  readonly name: string;
  readonly at: number;
}

/**
 * The variables of Nuxt's runtime configuration: `runtimeConfig: { stripe: { secretKey: '' } }` is NUXT_STRIPE_SECRET_KEY. A member that
 * the file itself fills from a variable is left out, because that variable is found by its own name.
 */
export function nuxtNames(text: string): readonly NuxtName[] {
  const start = /\bruntimeConfig\s*:\s*\{/.exec(text);
  if (!start) return [];
  const found: NuxtName[] = [];
  const path: string[] = [];
  const token = /[{}]|(?:["']([\w$]+)["']|([\w$]+))\s*:\s*(\{|[^,{}\n]*)/g;
  token.lastIndex = start.index + start[0].length;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const member = match[1] ?? match[2];
    if (member === undefined) {
      if (match[0] === '{') path.push('');
      else if (path.pop() === undefined) break;
    } else if (match[3] === '{') path.push(member);
    else if (!/\benv\b/.test(match[3] ?? '')) found.push({ name: ['NUXT', ...path, member].map(upper).join('_'), at: match.index });
  }
  return found;
}

/** `apiBase` is API_BASE. */
const upper = (word: string): string => word.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
