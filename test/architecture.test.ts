import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { circlesOfFiles } from '../scripts/house/circles.ts';
import { type Room, roomOf, rooms } from '../scripts/house/rooms.ts';
import { type Import, readSources, type Source } from '../scripts/house/sources.ts';
import { root } from '../scripts/tasks.ts';

const table: { readonly [name: string]: Room } = rooms;
let sources: readonly Source[] = [];
let imports: readonly Import[] = [];

beforeAll(async () => {
  sources = await readSources();
  imports = sources.flatMap((source) => source.imports).filter(({ target }) => target !== 'package.json');
});

/** Imports of another room. */
const between = (): readonly Import[] => imports.filter(({ isOurs, file, target }) => isOurs && roomOf(file) !== roomOf(target));

describe('the arrows between the rooms of src', () => {
  it('are those of the table', () => {
    expect(imports.filter(({ isOurs }) => !isOurs).length).toBeGreaterThan(20);
    const wrong = between().filter(({ file, target, isType }) => {
      const { uses = [], types = [] }: Partial<Room> = table[roomOf(file)] ?? {};
      return !uses.includes(roomOf(target)) && !(isType && types.includes(roomOf(target)));
    });
    expect(wrong.map(show)).toEqual([]);
  });

  it('are all used', () => {
    const used = new Set(between().map(({ file, target, isType }) => `${roomOf(file)} → ${roomOf(target)}${isType ? ' (types)' : ''}`));
    const drawn = Object.entries(table).flatMap(([room, { uses, types = [] }]) => [
      ...uses.map((to) => `${room} → ${to}`),
      ...types.map((to) => `${room} → ${to} (types)`),
    ]);
    expect(drawn.filter((arrow) => !used.has(arrow))).toEqual([]);
  });

  it('lead down: the table lists a room after all that it imports', () => {
    const order = Object.keys(table);
    const up = order.flatMap((room, place) =>
      (table[room]?.uses ?? []).filter((to) => order.indexOf(to) >= place).map((to) => `${room} → ${to}`),
    );
    expect(up).toEqual([]);
  });

  it('machines import nothing but xstate, core and each other', () => {
    const wrong = imports.filter(
      ({ file, target, isOurs }) =>
        roomOf(file) === 'machines' && (isOurs ? !['machines', 'core'].includes(roomOf(target)) : target !== 'xstate'),
    );
    expect(wrong.map(show)).toEqual([]);
  });

  it('the trace page imports the types of the events, the reader of its built files and nothing else of other rooms', () => {
    const wrong = between().filter(
      ({ file, target, isType }) =>
        file.startsWith('src/report/trace/page/') &&
        !(isType && target === 'src/engine/document.ts') &&
        !(file === 'src/report/trace/page/page-files.ts' && target === 'src/platform/own-files.ts'),
    );
    expect(wrong.map(show)).toEqual([]);
  });
});

it('the sandbox imports one file of src, the runner of a command', async () => {
  const files = (await readdir(join(root, 'sandbox'), { recursive: true })).filter((file) => /^(?!dist|node_modules).*\.ts$/.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(root, 'sandbox', file), 'utf8')));
  const found = texts.flatMap((text) => Array.from(text.matchAll(/from '(?:\.\.\/)+(src\/[^']+)'/g), ([, file]) => file));
  expect(found).toEqual(['src/platform/foreground.ts']);
});

it('no file of src leads back to itself', () => {
  expect(circlesOfFiles(sources)).toEqual([]);
});

describe('the way of a param in ARCHITECTURE.md', async () => {
  const text = await readFile(join(root, 'ARCHITECTURE.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (\d+) \| `(\S+\.ts)` \| `(\w+)` \|/gm)].map(([, n, file = '', name = '']) => ({ n, file, name }));

  it('goes there and back in at most 20 rows each', () => {
    const starts = rows.flatMap(({ n }, at) => (n === '1' ? [at] : []));
    expect(starts.length).toBe(2);
    const [, back = 0] = starts;
    expect([back, rows.length - back].every((length) => length > 5 && length <= 20)).toBe(true);
    expect(rows.map(({ n }) => n)).toEqual([...Array(back).keys(), ...Array(rows.length - back).keys()].map((at) => String(at + 1)));
  });

  it.each(rows)('names a function that stands there: $file $name', async ({ file, name }) => {
    const source = await readFile(join(root, 'src', file), 'utf8');
    expect(source).toMatch(new RegExp(`\\bfunction ${name}\\b|\\bconst ${name}\\b|^  (?:async )?${name}\\(`, 'm'));
  });
});

const show = ({ file, target, isType }: Import): string => `${file} imports ${target}${isType ? ' (types)' : ''}`;
