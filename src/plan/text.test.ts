import { describe, expect, it } from 'vitest';
import { mentionsValue, partsOfText, placedParts } from './text.ts';

describe('the parts of a text', () => {
  it.each([
    ['no braces: $5, $HOME and {x}', [{ kind: 'text', text: 'no braces: $5, $HOME and {x}' }]],
    ['$${a.b} and $$', [{ kind: 'text', text: '${a.b} and $$' }]],
    ['$${{ x }}', [{ kind: 'text', text: '${{ x }}' }]],
    ['${ a.b }', [{ kind: 'mention', name: 'a.b', source: '${ a.b }', isClosed: true }]],
    ['${{shared.HOST}}', [{ kind: 'mention', name: '{shared.HOST}', source: '${{shared.HOST}}', isClosed: true }]],
    ['${ctx.scope}', [{ kind: 'context', name: 'ctx.scope', source: '${ctx.scope}', isClosed: true }]],
    ['${contexts.url}', [{ kind: 'mention', name: 'contexts.url', source: '${contexts.url}', isClosed: true }]],
    ['${A:-x', [{ kind: 'mention', name: 'A:-x', source: '${A:-x', isClosed: false }]],
    ['${', [{ kind: 'mention', name: '', source: '${', isClosed: false }]],
    ['', []],
  ])('%j', (source, parts) => {
    expect(partsOfText(source)).toEqual(parts);
  });

  it('are found in time that grows with the text alone', () => {
    for (const text of ['${'.repeat(200_000), '${{'.repeat(100_000), '$'.repeat(300_000), `\${${'a'.repeat(300_000)}`]) partsOfText(text);
  });

  it('an escaped ${ alone does not make a text one of this plan', () => {
    expect(['a', '$${x}', '${x}', '${{x}}'].map(mentionsValue)).toEqual([false, false, true, true]);
  });
});

describe('a value in a text', () => {
  const url = { use: 'address', name: 'url' } as const;
  const placed = (parts: readonly (string | [string])[], spot: Parameters<typeof placedParts>[1] = url): string =>
    placedParts(
      parts.map((part) => (typeof part === 'string' ? { text: part, isValue: false } : { text: part[0], isValue: true })),
      spot,
    ).join('');

  it.each([
    [['https://', ['a.example'], '/x'], 'https://a.example/x'],
    [['https://a.example/?q=', ['b&c=d']], 'https://a.example/?q=b%26c%3Dd'],
    [['https://a.example/', ['../x']], 'https://a.example/..%2Fx'],
    // A value that begins the text is the address, and what follows stands in that address.
    [[['https://a.example/p'], '/x?q=', ['b&c']], 'https://a.example/p/x?q=b%26c'],
    [[['https://a.example'], '/', ['https://b.example']], 'https://a.example/https%3A%2F%2Fb.example'],
    [['Hello ', ['a&b'], '!'], 'Hello a&b!'],
  ] as const)('%j becomes %s', (parts, text) => {
    expect(placed(parts.map((part) => (typeof part === 'string' ? part : [part[0]])))).toBe(text);
  });
});
