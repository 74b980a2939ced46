/** A branch that a push moves, and the commit that it names from then on: noughts alone where the push takes the branch away. */
export interface Pushed {
  readonly branch: string;
  readonly sha: string;
}

/** The branches of a push, as its request begins with them: lines of four hexadecimal digits of length, two ids and a ref. */
export function pushedIn(body: Buffer): readonly Pushed[] {
  const found: Pushed[] = [];
  let at = 0;
  for (;;) {
    const length = Number.parseInt(body.toString('latin1', at, at + 4), 16);
    if (!(length > 4) || at + length > body.length) return found;
    const [, sha, branch] = /^[\da-f]{40} ([\da-f]{40}) refs\/heads\/([^\0\n]+)/.exec(body.toString('utf8', at + 4, at + length)) ?? [];
    if (sha !== undefined && branch !== undefined) found.push({ branch, sha });
    at += length;
  }
}
