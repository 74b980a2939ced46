import { isProduction } from '../plan/context.ts';

/** The inputs by which a workflow says which pull requests get a preview. */
export interface Who {
  /** Only pull requests that bear this label. */
  readonly label: string | null;
  /** `false` leaves drafts out. */
  readonly drafts: boolean;
  /** Only pull requests of these accounts; `null` for everybody. */
  readonly authors: readonly string[] | null;
  /** Pull requests of apps get one, too. */
  readonly bots: boolean;
  /** Only pull requests that change a file that one of these patterns matches; `null` for all. */
  readonly paths: readonly string[] | null;
  /** No more than this many at the same time. */
  readonly mostPreviews: number | null;
}

/** The inputs that are left out. */
export const everybody: Who = { label: null, drafts: true, authors: null, bots: false, paths: null, mostPreviews: null };

/** How `readInputs` reads one input. */
export interface Reading {
  readonly text: (name: string) => string | null;
  readonly list: (name: string) => readonly string[];
  readonly choice: (name: string) => boolean | null;
  readonly refuse: (detail: string, fix: string) => void;
}

/** Reads the inputs. A wrong one, and a combination that says nothing, is refused. */
export function readWho(
  { text, list, choice, refuse }: Reading,
  run: { readonly env: string; readonly scope: string | null; readonly closed: boolean },
): Who {
  const some = (name: string): readonly string[] | null => {
    const given = list(name);
    return given.length === 0 ? null : given;
  };
  const who: Who = {
    label: text('label'),
    drafts: choice('drafts') ?? true,
    authors: some('authors'),
    bots: choice('bots') ?? false,
    paths: some('paths'),
    mostPreviews: countOf(text('max-previews'), refuse),
  };
  const wrong = who.paths?.find((pattern) => /^!|[[\]{}]/.test(pattern));
  if (wrong !== undefined) refuse(`The input \`paths\` holds "${wrong}".`, 'Use only `*`, `**` and `?` in `paths`, and name what counts.');
  const given = givenOf(who);
  if (given.length === 0) return who;
  const names = given.map((name) => `\`${name}\``).join(', ');
  if (isProduction(run.env)) refuse(`${names} choose pull requests, and ${run.env} belongs to none.`, `Leave ${names} out.`);
  else if (run.scope !== null)
    refuse(`${names} choose pull requests, and \`scope\` names a scope of its own.`, `Leave \`scope\` or ${names} out.`);
  else if (run.closed) {
    const others = given.filter((name) => name !== 'label' && name !== 'drafts').map((name) => `\`${name}\``);
    if (others.length > 0)
      refuse(
        `${others.join(', ')} decide about a first apply, and \`closed\` only ends previews.`,
        `Leave ${others.join(', ')} out of this step.`,
      );
  }
  return who;
}

/** The names of the inputs that differ from those of `everybody`. */
function givenOf(who: Who): readonly string[] {
  const names = {
    label: 'label',
    drafts: 'drafts',
    authors: 'authors',
    bots: 'bots',
    paths: 'paths',
    mostPreviews: 'max-previews',
  } as const;
  return (Object.keys(names) as (keyof Who)[]).filter((key) => who[key] !== everybody[key]).map((key) => names[key]);
}

function countOf(given: string | null, refuse: Reading['refuse']): number | null {
  if (given === null) return null;
  if (/^[1-9]\d{0,5}$/.test(given)) return Number(given);
  refuse(`The input \`max-previews\` is "${given}".`, 'Write a whole number of 1 or more, such as `max-previews: 20`, or leave it out.');
  return null;
}
