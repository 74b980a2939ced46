import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/engine/document.ts';
import { lines, openShop, planOf } from './shop.ts';

const failures = (events: readonly RunEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'failure' ? [`${event.line} ${event.error.code}`] : []));

describe('what a run tells of lines that end badly', () => {
  it('is the error of one that was refused when it was judged', async ({ onTestFinished }) => {
    const shop = await openShop(planOf(lines.dns));
    onTestFinished(() => shop.close());
    shop.world.cloudflare.world.addRecord(shop.world.seed.zone.id, {
      type: 'CNAME',
      name: `pr-12.${shop.world.seed.zone.name}`,
      content: 'somebody.example',
    });
    const events: RunEvent[] = [];
    const doc = await shop.apply({}, events);
    expect(doc.lines[0]?.error?.code).toBe('RESOURCE_FOREIGN');
    expect(failures(events)).toEqual(['dns RESOURCE_FOREIGN']);
  });

  it('is the error of the one that failed, which those after it name', async ({ onTestFinished }) => {
    const shop = await openShop(planOf(lines.payments, lines.hook));
    onTestFinished(() => shop.close());
    shop.world.stripe.faults.times(9, 'POST /v1/webhook_endpoints', 403, { error: { message: 'no' } });
    const events: RunEvent[] = [];
    await shop.apply({}, events);
    expect(failures(events)).toEqual(['payments PROVIDER_AUTH']);
    expect(events).toContainEqual(expect.objectContaining({ type: 'line', line: 'hook', to: 'skipped', because: 'payments' }));
  });
});
