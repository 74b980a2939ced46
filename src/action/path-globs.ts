/** Whether one of the patterns matches the path, as `paths` of a workflow does: `*` stays in a folder, `**` does not, `?` is a character. */
export function matchesOne(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => regexOf(pattern).test(path));
}

function regexOf(pattern: string): RegExp {
  const parts = pattern.replace(/^\.?\//, '').split(/(\*\*\/|\*\*|\*|\?)/);
  const source = parts.map((part) => wild.get(part) ?? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('');
  return new RegExp(`^${source}$`, 's');
}

const wild = new Map([
  // `**/x` matches x at the top, too.
  ['**/', '(?:[^/]+/)*'],
  ['**', '.*'],
  ['*', '[^/]*'],
  ['?', '[^/]'],
]);
