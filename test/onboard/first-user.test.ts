import { expect, it, onTestFinished } from 'vitest';
import { pilotfish } from './command.ts';
import { type Company, openCompany } from './company.ts';
import { follow, freshClone } from './follow.ts';
import { filesOf } from './repositories.ts';

it.each([
  ['nextjs-vercel', 'database'],
  ['netlify', 'database'],
  ['pnpm-turbo', 'database'],
  // Every line of its plan is a comment first.
  ['heroku', 'payments'],
])('somebody who knows only what init prints comes to a first plan in %s', async (name, line) => {
  const { cwd, env } = await freshClone(name, await filesOf(name));
  let company: Company | undefined;
  const end = await follow(cwd, env, (plan) => {
    company ??= openCompany(plan, onTestFinished, 1);
    return company;
  });
  expect(end.command[0]).toBe('plan');
  const told = await pilotfish(end.command, { cwd, env: end.env, world: company?.world ?? {} });
  expect(told.stderr).toBe('');
  expect(told.code, told.stdout).toBe(0);
  expect(told.stdout).toMatch(/^Plan for preview\/pr-1\b/);
  expect(told.stdout).toMatch(new RegExp(`^ +\\+ +create +${line}\\b`, 'm'));
  expect(company?.writes()).toEqual([]);
});
