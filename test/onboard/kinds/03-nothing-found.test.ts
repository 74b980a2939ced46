import { expect, it } from 'vitest';
import { type Files, initIn } from './init-in.ts';

it.each<readonly [string, Files]>([
  [
    'a server in a container',
    {
      'package.json': { name: 'paste', private: true, dependencies: { express: '5', ws: '8' } },
      'server.js': "require('express')().listen(process.env.PORT);\n",
      Dockerfile: 'FROM node:24-slim\nCMD ["node", "server.js"]\n',
    },
  ],
  [
    'a Phoenix application without a service',
    {
      'mix.exs': 'defmodule Notes.MixProject do\n  use Mix.Project\n  def project, do: [app: :notes, deps: [{:phoenix, "~> 1.7"}]]\nend\n',
      'config/runtime.exs': 'import Config\n',
    },
  ],
  [
    'a Spring application without a service',
    {
      'build.gradle':
        "plugins { id 'org.springframework.boot' version '3.5.0' }\ndependencies { implementation 'org.springframework.boot:spring-boot-starter-web' }\n",
      'src/main/resources/application.yml': 'server:\n  port: 8080\n',
    },
  ],
  ['an empty repository', {}],
  ['a repository of texts', { 'README.md': '# Notes\n\nWe use Vercel, Neon and Stripe.\n', 'notes/a.md': 'Set DATABASE_URL.\n' }],
])('%s: no line is written, and init says so', async (_, files) => {
  const said = await initIn(files);
  expect(said.services).toEqual([]);
  expect([said.live, said.comments]).toEqual([[], []]);
  expect(said.told.assumed).toBe(false);
  // An empty plan is not ready.
  expect(said.next.command ?? '').not.toMatch(/^pilotfish (?:plan|apply)/);
  expect(said.next.why).not.toMatch(/no placeholder left/);
  expect(said.next.why.length).toBeGreaterThan(20);
});
