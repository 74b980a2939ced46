/**
 * A path with `{names}`: `/repos/{owner}/{repo}/hooks`, `/{+name}`, `/Accounts/{Sid}.json`. OpenAPI has no word for a name that may
 * hold slashes, so one that calls itself a path may: `/{mount_path}/data/{path}`. So may a destination, which is an address that
 * stands raw in the path.
 */
export interface Template {
  /** How much it leaves open: a concrete path is tried before a template that would match it too. */
  readonly freedom: number;
  /** Decoded values of the names; `null` when the path is another one. */
  match(path: string): { readonly [name: string]: string } | null;
}

export function templateOf(text: string): Template {
  const names: string[] = [];
  const source = text
    .split(/(\{[^}]+\})/)
    .map((part) => {
      if (!part.startsWith('{')) return part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
      const hasPlus = part.startsWith('{+');
      const name = part.slice(hasPlus ? 2 : 1, -1);
      names.push(name);
      return hasPlus || /(?:^|_)path$|^destination$/.test(name) ? '(.+)' : '([^/]+)';
    })
    .join('');
  const expression = new RegExp(`^${source}$`);
  return {
    freedom: names.length,
    match: (path) => {
      const found = expression.exec(path);
      return found && Object.fromEntries(names.map((name, index) => [name, decode(found[index + 1] ?? '')]));
    },
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
