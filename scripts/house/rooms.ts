/** A room of `src` and the rooms that it may import: `uses` at run time, `types` only for types. */
export interface Room {
  readonly is: string;
  readonly uses: readonly string[];
  readonly types?: readonly string[];
}

/**
 * The rooms of `src`, from the ground up. The picture in ARCHITECTURE.md comes from this table. `test/architecture.test.ts` checks that
 * each import is in the table and that no arrow of the table is unused.
 */
export const rooms = {
  core: { is: 'errors, JSON, pointers, redaction, clock', uses: [] },
  platform: { is: 'commands, the checkout', uses: ['core'] },
  plan: { is: 'YAML, values, lines, graph', uses: ['core'] },
  http: { is: 'one client: request, retry, pace, auth', uses: ['core', 'platform'] },
  remote: { is: 'objects at a provider, as data', uses: ['core', 'http'] },
  ops: {
    is: 'the Op contract, blocks, plugins, generic ops',
    uses: ['core', 'plan', 'http', 'remote'],
    types: ['secrets'],
  },
  adapters: { is: 'one folder a provider', uses: ['core', 'plan', 'http', 'remote', 'ops'] },
  recipes: { is: 'Ops as data', uses: ['core', 'platform', 'plan', 'remote', 'ops'] },
  machines: { is: 'the charts: xstate, no IO', uses: [], types: ['core'] },
  ledger: { is: 'facts, one writer, locks, stores', uses: ['core', 'platform', 'remote', 'http'] },
  host: { is: 'where pull requests and their comments live', uses: ['core', 'platform', 'http'] },
  secrets: { is: 'where secrets are read', uses: ['core'], types: ['platform'] },
  engine: {
    is: 'one run, from the plan to its document',
    uses: ['core', 'platform', 'plan', 'http', 'remote', 'ops', 'adapters', 'recipes', 'machines', 'ledger', 'host', 'secrets'],
  },
  report: { is: 'text, markdown, progress, the trace', uses: ['core', 'platform'], types: ['engine'] },
  onboard: {
    is: 'init: detects, drafts, sets up',
    uses: ['core', 'platform', 'plan', 'http', 'remote', 'ops', 'recipes', 'ledger', 'report'],
    types: ['engine'],
  },
  live: {
    is: 'one operation, proven against its service',
    uses: ['core', 'platform', 'http', 'ops', 'ledger', 'report'],
    types: ['engine'],
  },
  cli: {
    is: 'the command line',
    uses: ['core', 'platform', 'plan', 'http', 'machines', 'ledger', 'host', 'engine', 'onboard', 'report', 'live'],
  },
  mcp: { is: 'the tool server', uses: ['core', 'platform', 'plan', 'recipes', 'engine', 'report', 'cli'] },
  index: { is: 'what a plugin imports', uses: ['core', 'remote', 'ops', 'recipes'], types: ['http', 'secrets', 'engine'] },
  action: { is: 'the CI action', uses: ['core', 'plan', 'http', 'host', 'engine', 'report', 'cli', 'index'] },
} as const satisfies { readonly [room: string]: Room };

/** The room of a file of `src`: `src/ledger/locks/lock.ts` is in `ledger`, `src/index.ts` in `index`. */
export const roomOf = (file: string): string => file.split('/')[1]?.replace(/\.ts$/, '') ?? '';

/** The arrows of the picture: a room's imports at run time, without the rooms that one of its other imports leads to. */
export function shownArrows(): readonly (readonly [from: string, to: string])[] {
  const uses = (room: string): readonly string[] => (rooms as { readonly [name: string]: Room })[room]?.uses ?? [];
  const below = (room: string): ReadonlySet<string> => new Set(uses(room).flatMap((next) => [next, ...below(next)]));
  return Object.keys(rooms).flatMap((room) => {
    const further = new Set(uses(room).flatMap((next) => [...below(next)]));
    return uses(room)
      .filter((to) => !further.has(to))
      .map((to) => [room, to] as const);
  });
}
