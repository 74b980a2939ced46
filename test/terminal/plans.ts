import { Failure } from '../../src/core/errors.ts';
import type { Json } from '../../src/core/json.ts';
import type { FieldChange, PlanDoc, PlanLineDoc, Side } from '../../src/engine/document.ts';

const shown = (value: Json): Side => ({ state: 'resolved', value });
const absent: Side = { state: 'absent' };
const changed = (field: string, before: Side, after: Side): FieldChange => ({ field, before, after });

const line = (id: string, over: Partial<PlanLineDoc> = {}): PlanLineDoc => ({
  id,
  adapter: 'vercel',
  op: 'env',
  verdict: 'none',
  drift: 'none',
  changes: [],
  inputs: {},
  ...over,
});

function planOf(lines: readonly PlanLineDoc[], over: Partial<PlanDoc> = {}): PlanDoc {
  const summary: Record<string, number> = {};
  for (const { verdict } of lines) summary[verdict] = (summary[verdict] ?? 0) + 1;
  return {
    schema: 1,
    ok: true,
    command: 'plan',
    environment: 'preview',
    scope: 'pr-12',
    digest: 'd41d8cd98f00',
    lines,
    orphans: [],
    warnings: [],
    summary,
    ...over,
  };
}

/** Every form that a change of a field has. */
export function manyChanges(): PlanDoc {
  const host = (name: string): string =>
    `postgres://app@ep-cool-${name}-123456.eu-central-1.aws.neon.tech/shop?sslmode=require&channel_binding=require`;
  return planOf([
    line('database', {
      adapter: 'neon',
      op: 'branch',
      verdict: 'create',
      changes: [
        changed('name', absent, shown('shop-pr-12')),
        changed('parent_id', absent, shown('br-main-42')),
        changed('password', absent, { state: 'pending' }),
      ],
    }),
    line('env-database-url', {
      verdict: 'update',
      drift: 'changed',
      changes: [
        changed('value', shown(host('moon')), shown(host('star'))),
        changed('token', { state: 'secret' }, { state: 'secret' }),
        changed('target', shown(['preview', 'development']), shown(['preview'])),
        changed('comment', shown('set by hand'), absent),
        changed('git_branch', { state: 'kept' }, shown('feat/大小')),
      ],
    }),
    line('worker', {
      adapter: 'cloudflare',
      op: 'worker',
      verdict: 'update',
      changes: [
        changed(
          'script',
          shown('export default {\n  fetch() {\n    return new Response("a")\n  }\n}'),
          shown('export default {\n  fetch() {\n    return new Response("b")\n  }\n}'),
        ),
        changed('limits', shown({ cpu: { ms: 50 }, memory: 128, region: 'eu' }), shown({ cpu: { ms: 30 }, memory: 128, zone: 'z' })),
      ],
    }),
    line('preview', { op: 'deployment', verdict: 'pending', waitingOn: ['env-database-url'] }),
    ...Array.from({ length: 12 }, (_, i) => line(`flag-${i + 1}`, { adapter: 'http', op: 'list_item', recipe: 'launchdarkly.rule' })),
  ]);
}

/** One line in ten cannot be applied. */
export function refusedPlan(count: number): PlanDoc {
  const lines = Array.from({ length: count }, (_, i) => {
    if (i % 10 !== 0) return line(`env-${i}`);
    const error = new Failure('RESOURCE_FOREIGN', {
      detail: `env-${i}: a variable of this name exists, and pilotfish did not make it.`,
    }).toData();
    return line(`env-${i}`, { verdict: 'refused', error });
  });
  return planOf(lines, { ok: false, warnings: ['The clone is shallow: whether this commit is the newest is asked of the code host.'] });
}
