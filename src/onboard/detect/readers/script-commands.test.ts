import { expect, it } from 'vitest';
import { commandsIn } from './script-commands.ts';

it.each([
  ['next dev', ['next']],
  ['doppler run -- next dev --turbo', ['doppler', 'next']],
  ['NODE_ENV=test FOO="a" cross-env BAR=1 doppler run', ['doppler']],
  ['tsc -p . && doppler secrets download; rm -rf dist | tee log', ['tsc', 'doppler', 'rm', 'tee']],
  ['concurrently "doppler run -- next" \'tsc -w\'', ['concurrently', 'doppler', 'next', 'tsc']],
  ['echo $(doppler configure get token)', ['echo', 'doppler']],
  ['./scripts/doppler.sh && node_modules/.bin/next', []],
  ['next dev --name doppler', ['next']],
  ['', []],
])('the programs of %j are its commands', (script, programs) => {
  expect(commandsIn({ script })).toEqual(programs);
});

it('each program is told once, of scripts that are texts or lists of texts, and of nothing else', () => {
  expect(commandsIn({ a: 'next build', b: ['next', '@php artisan', 'doppler run'], c: 1, d: null, e: { f: 'no' } })).toEqual([
    'next',
    'doppler',
  ]);
  for (const none of [undefined, null, 'next', ['next'], 7]) expect(commandsIn(none)).toEqual([]);
});

it('a script without end is read as far as a person would write one', () => {
  expect(commandsIn({ a: `${' '.repeat(200_000)}next` })).toEqual([]);
  expect(commandsIn({ a: 'next '.repeat(200_000) })).toEqual(['next']);
});
