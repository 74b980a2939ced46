import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { exampleOf } from '../scripts/docs/plan.ts';
import { lineKeys, topKeys } from '../src/plan/schema.ts';
import { problemsOfPlan } from './guide/check-plan.ts';
import { family } from './recipes/oven.ts';
import { tempFolder } from './support/temp-folder.ts';

// test/guide/blocks.test.ts plans the whole examples of the page; here are the single keys of its tables.

type Keys = readonly (readonly [key: string, schema: z.ZodType])[];
/** In a folder with a recipe family, as the example of `recipes` wants one. */
async function problemsOf(plan: string) {
  const folder = await tempFolder('plan-page');
  await mkdir(join(folder, 'recipes'));
  await writeFile(join(folder, 'recipes/oven.yaml'), family);
  return await problemsOfPlan(plan, folder);
}

const neon = ['id: database', 'adapter: neon', 'op: branch', 'project_id: quiet-river-12345678', 'name: shop-${ctx.scope}'];

it.each(Object.entries(topKeys) as Keys)('the example of the key %s of a plan is planned', async (key, schema) => {
  // Its value is an output of this line.
  const changes = key === 'exports' ? `changes:\n  - ${neon.join('\n    ')}` : 'changes: []';
  const others = [...(key === 'changes' ? [] : [changes]), ...(key === 'version' ? [] : ['version: 1'])];
  expect(await problemsOf(`${[exampleOf(key, schema), ...others].join('\n')}\n`)).toEqual([]);
});

const stripe = ['id: payments', 'recipe: stripe.webhook_endpoint', 'name: ${ctx.scope}', 'url: https://${ctx.scope}.example.com'];

it.each(Object.entries(lineKeys) as Keys)('the example of the key %s of a line is planned', async (key, schema) => {
  const base = key === 'recipe' || key === 'api' ? [...stripe, 'enabled_events: [charge.refunded]'] : neon;
  const line = [exampleOf(key, schema), ...base.filter((member) => !member.startsWith(`${key}: `))];
  expect(await problemsOf(`changes:\n  - ${line.join('\n    ')}\n`)).toEqual([]);
});
