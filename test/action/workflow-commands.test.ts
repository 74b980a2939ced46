import { describe, expect, it } from 'vitest';
import { CommandEar, type Heard } from './workflow-commands.ts';

const heard = (...lines: readonly string[]): readonly Heard['kind'][] => {
  const ear = new CommandEar();
  return lines.map((line) => ear.hear(line).kind);
};
const command = (line: string): unknown => {
  const said = new CommandEar().hear(line);
  return said.kind === 'command' ? said.command : said.kind;
};

describe('the runner of the tests takes a line for a command', () => {
  it.each([
    ['::notice::done', { name: 'notice', properties: {}, data: 'done' }],
    ['  \t\u0085\u00a0::notice::after space', { name: 'notice', properties: {}, data: 'after space' }],
    ['::set-output name=status::a%0Ab%25', { name: 'set-output', properties: { name: 'status' }, data: 'a\nb%' }],
    ['::error file=a%3Ab%2Cc,line=3,title=::x', { name: 'error', properties: { file: 'a:b,c', line: '3' }, data: 'x' }],
    ['::ERROR::x', { name: 'ERROR', properties: {}, data: 'x' }],
    ['text before ##[set-output name=a;x=%5D]value', { name: 'set-output', properties: { name: 'a', x: ']' }, data: 'value' }],
    ['::add-mask::%2525', { name: 'add-mask', properties: {}, data: '%25' }],
  ])('%j', (line, meant) => {
    expect(command(line)).toEqual(meant);
  });

  it.each(['text ::notice::x', '::notice', '::unknown::x', ':: notice::x', '##[unknown]x', '##[error', '::::', '\u200b::error::x', ''])(
    'but not %j',
    (line) => expect(command(line)).toBe('text'),
  );

  it.each(['::set-env name=PATH::x', '##[add-path]/tmp'])('refuses %j, which fails the step', (line) =>
    expect(command(line)).toBe('refused'),
  );

  it('hears nothing between stop-commands and its token', () => {
    expect(heard('::stop-commands::k3y', '::error::x', '##[set-output name=a]x', '::other::', '::k3y::', '::error::x')).toEqual([
      'command',
      'text',
      'text',
      'text',
      'command',
      'command',
    ]);
  });
});
