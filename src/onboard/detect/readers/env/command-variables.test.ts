import { expect, it } from 'vitest';
import type { Reading } from '../../facts.ts';
import { commandVariables } from './command-variables.ts';

const told = (path: string, text: string): string[] => {
  const { variables = [] } = commandVariables.read({ path, text }, { hosts: [], schemes: [], modules: [], resources: [] }) as Reading;
  return variables.map(({ name, line }) => `${line} ${name}`);
};

it.each([
  ['netlify.toml', '[build]\ncommand = "npx convex deploy --cmd \'npm run build\'"', ['2 CONVEX_DEPLOY_KEY']],
  ['apps/web/package.json', '{ "scripts": { "build": "convex deploy && next build" } }', ['1 CONVEX_DEPLOY_KEY']],
  ['Dockerfile', 'FROM rust\nRUN sqlx migrate run', ['2 DATABASE_URL']],
  ['release.sh', '#!/bin/sh\ndbmate --wait up', ['2 DATABASE_URL']],
  ['Procfile', 'release: diesel migration run', ['1 DATABASE_URL']],
])('a command in %s reads a variable by itself', (path, text, expected) => {
  expect(commandVariables.takes(path)).toBe(true);
  expect(told(path, text)).toEqual(expected);
});

it.each([
  ['release.sh', '# convex deploy\necho done'],
  ['package.json', '{ "scripts": { "dev": "convex dev" } }'],
  ['package.json', '{ "dependencies": { "convex": "1" } }'],
])('another one in %s does not: %s', (path, text) => expect(told(path, text)).toEqual([]));
