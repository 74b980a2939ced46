import { seed } from 'pilotfish-sandbox/all';
import type { Seen } from 'pilotfish-sandbox/kit/types';
import type { ApplyDoc, RunEvent } from '../../src/engine/document.ts';
import { lines, openShop, planOf, type Shop } from '../lifecycle/shop.ts';

/** A run as its trace has it: what it told, and how it ended. */
export interface TracedRun {
  readonly events: readonly RunEvent[];
  readonly document: ApplyDoc | null;
}

/** An apply of a plan of about sixty lines: providers of different speed, one busy minute of GitHub, a shared application. */
export async function sixtyLines(): Promise<TracedRun> {
  const shop = await openShop(planOf(...database, ...groups(10)));
  unhurried(shop);
  shop.world.neon.faults.readyAfter(4);
  shop.world.github.faults.once('POST /repos/{owner}/{repo}/hooks', 429, { message: 'slow down' }, { 'retry-after': '2' });
  return await traced(shop);
}

/** A provider refuses some of the lines, so what comes after them is skipped; one object belongs to somebody else. */
export async function failedRun(): Promise<TracedRun> {
  const shop = await openShop(planOf(...database, ...groups(3)));
  unhurried(shop);
  shop.world.cloudflare.faults.times(3, 'POST /client/v4/zones/{zone}/dns_records', 400, {
    success: false,
    errors: [{ code: 9005, message: 'Content for CNAME record is invalid: <script>alert("x")</script>' }],
  });
  shop.world.stripe.faults.times(9, 'POST /v1/webhook_endpoints', 403, { error: { message: 'This key may not write.' } });
  return await traced(shop);
}

/** The same plan twice: the first run dies in the middle of its writes, the second waits for its lease and goes on. */
export async function killedAndResumed(): Promise<{ readonly killed: TracedRun; readonly resumed: TracedRun }> {
  const shop = await openShop(planOf(...database, ...groups(3)));
  unhurried(shop);
  shop.crash.at('after', 'POST', /hooks$/);
  const killed = await traced(shop);
  shop.crash.over();
  return { killed: { events: upTo(killed.events, 'hook-1'), document: null }, resumed: await traced(shop) };
}

/** An apply of a thousand lines. */
export async function thousandLines(): Promise<TracedRun> {
  const shop = await openShop(planOf(...database, ...groups(166)));
  unhurried(shop);
  return await traced(shop);
}

const database = [
  `
  - id: database
    adapter: neon
    op: branch
    project_id: ${seed.neonProject}
    name: shop-\${ctx.scope}`,
  `
  - id: database-url
    adapter: vercel
    op: env
    project: ${seed.vercelProject}
    key: DATABASE_URL
    value: { from: database.connection_uri }
    target: [preview]`,
];

/** Six lines each: a webhook whose secret goes into another, a record that another points at, two entries of one application. */
const groups = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, i) =>
    [lines.payments, lines.hook, lines.dns, lines.alias, lines.callback, lines.logout]
      .map((line) =>
        line
          .replaceAll('${ctx.scope}', `app${i + 1}-\${ctx.scope}`)
          .replace(/- id: (\S+)/, `- id: $1-${i + 1}`)
          .replace(/from: (\w+)\./, `from: $1-${i + 1}.`),
      )
      .join(''),
  );

/** Each provider has a speed of its own, and writes take longer than reads. */
function unhurried({ world }: Shop): void {
  const isWrite = ({ method }: Seen): boolean => method !== 'GET';
  const speeds = [
    [world.neon, 180, 900],
    [world.vercel, 90, 210],
    [world.stripe, 130, 340],
    [world.github, 110, 260],
    [world.cloudflare, 70, 160],
    [world.auth0, 150, 420],
  ] as const;
  for (const [{ faults }, read, write] of speeds) {
    faults.slow((call) => !isWrite(call), read);
    faults.slow(isWrite, write);
  }
}

async function traced(shop: Shop): Promise<TracedRun> {
  const events: RunEvent[] = [];
  const env = { ...shop.env, PILOTFISH_REQUEST_DEADLINE_MS: '30000', PILOTFISH_LEASE_MS: '120000' };
  const document = await shop.apply({ leaseTimeoutMs: 600_000, waitTimeoutMs: 900_000, env }, events).catch(() => null);
  return { events, document };
}

/** What was told until a line's create was on its way: the rest was never told by a process that is dead. */
function upTo(events: readonly RunEvent[], line: string): readonly RunEvent[] {
  const at = events.findIndex((event) => event.type === 'line' && event.line === line && event.to === 'creating');
  return events.slice(0, at + 1);
}
