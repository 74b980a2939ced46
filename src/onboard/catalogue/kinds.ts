/** The kinds of services by their purpose. The kind gives the reason and the advice where a file says none. */
export interface KindWords {
  readonly why: string;
  readonly ask: string;
}

const notYet = 'No adapter and no recipe manages it yet.';
const byHand = "Write it as an `http` line, or ask for it in the project's issues.";

const words = {
  database: { why: notYet, ask: 'Previews share it, unless you give them a database of a provider that has branches.' },
  cache: { why: notYet, ask: 'Previews share it, unless each preview puts its number before its keys.' },
  queue: { why: notYet, ask: 'Previews share it, unless each preview has a queue of its own name.' },
  storage: { why: notYet, ask: 'Previews share its files, unless each preview puts its number before their paths.' },
  search: { why: notYet, ask: 'Previews share its indices, unless each preview puts its number before their names.' },
  mail: { why: notYet, ask: 'Mail of previews reaches real people, unless they send with a key for tests.' },
  messages: { why: notYet, ask: byHand },
  auth: { why: notYet, ask: byHand },
  payments: { why: notYet, ask: byHand },
  flags: { why: notYet, ask: byHand },
  analytics: {
    why: 'Previews need nothing of their own there.',
    ask: 'Let previews send nothing, or let each event say that it comes from a preview.',
  },
  errors: { why: notYet, ask: 'Let each preview send its number as the environment, so that its errors stand apart.' },
  logs: { why: notYet, ask: 'Let each preview send its number as the environment, so that its lines stand apart.' },
  ai: { why: 'Previews need nothing of their own there.', ask: 'Give previews a key with a budget of its own.' },
  maps: { why: notYet, ask: 'If the key allows only some addresses, allow those of the previews.' },
  content: { why: notYet, ask: byHand },
  media: { why: notYet, ask: byHand },
  jobs: { why: notYet, ask: byHand },
  secrets: {
    why: 'It holds values that other services made.',
    ask: 'Refer to its values in the plan, if docs/secrets.md lists it; else let your workflow read them.',
  },
  host: { why: notYet, ask: 'Let your workflow deploy the preview, and write its address into the lines that need it.' },
  ci: { why: 'Previews need nothing of their own there.', ask: 'Let it run pilotfish (docs/ci-shell.md).' },
  crm: { why: notYet, ask: byHand },
  support: { why: notYet, ask: byHand },
  other: { why: notYet, ask: byHand },
} as const satisfies { readonly [kind: string]: KindWords };

export type Kind = keyof typeof words;

export const kinds = Object.keys(words) as readonly Kind[];

export const wordsOfKind = (kind: Kind): KindWords => words[kind];
