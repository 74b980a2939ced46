import { onTestFinished } from 'vitest';
import { LeapingClock } from '../support/leaping-clock.ts';
import { openStage } from '../support/stage.ts';
import { cabinet, type Drawer, type DrawerManners } from './drawer.ts';
import type { Thing } from './shelf.ts';
import { drawerWires } from './wires/drawer.ts';

export type DrawerWire = keyof typeof drawerWires;

interface Cabinet {
  readonly manners: DrawerManners;
  readonly start: Drawer;
  readonly lines: readonly Thing[];
  /** How requests and answers are written. JSON when left out. */
  readonly wire?: DrawerWire;
}

/** Lines of the adapter http for entries of one drawer, each a line `entry` or, of several, `entry-<n>`. */
export async function openCabinet({ manners, start, lines, wire = 'json' }: Cabinet) {
  const clock = new LeapingClock();
  const provider = cabinet(manners, structuredClone(start), { clock });
  const { api, line: said, put } = drawerWires[wire];
  put(provider);
  const plan = (entries: readonly Thing[]): string =>
    JSON.stringify({
      version: 1,
      providers: { http: { cabinet: { base_url: 'https://cabinet.example', auth: { bearer_env: 'CABINET_TOKEN' }, ...api } } },
      changes: entries.map((line, i) => ({
        ...{ id: entries.length === 1 ? 'entry' : `entry-${i}`, adapter: 'http', op: 'list_item', api: 'cabinet' },
        ...said(line),
      })),
    });
  const env = { CABINET_TOKEN: provider.tokens.full, PILOTFISH_LEASE_MS: '120000' };
  const stage = await openStage({ simulations: [provider], clock, env, plan: plan(lines) });
  onTestFinished(() => stage.close());
  return { ...stage, provider, world: provider.world, rewrite: (entries: readonly Thing[]) => stage.write(plan(entries)) };
}
