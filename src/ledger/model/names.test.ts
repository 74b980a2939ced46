import { describe, expect, it } from 'vitest';
import { encodeName, fullRef, historyBranch, isLockBranch, lockBranch, receiptsBranch, receiptsOf, scopeOf } from './names.ts';

const strange = [
  'pr-12',
  'feat',
  'feat/x',
  'feat-x',
  'feat_x',
  'FEAT',
  'con',
  'con.txt',
  'CON',
  'nul',
  'com1',
  'console',
  '..',
  '.',
  '.hidden',
  '-x',
  'a..b',
  'a.',
  'a.lock',
  'a.lockx',
  '%2f',
  '%',
  '~',
  'a~b',
  '@{',
  'größe',
  '日本',
  '_history',
  'a b',
  'a\\b',
  'a:b',
  'x'.repeat(180),
];

describe('receiptsBranch', () => {
  it('keeps a simple name readable', () => {
    expect(receiptsBranch('preview', 'pr-12')).toBe('pilotfish-receipts/preview/pr-12');
    expect(receiptsBranch('preview', 'pr-12', 'shop')).toBe('pilotfish-receipts/preview/shop_pr-12');
    expect(receiptsBranch('preview', 'feat/X_%')).toBe('pilotfish-receipts/preview/feat%2f%58%5f%25');
  });

  it('gives every name a branch of its own, also where case is folded', () => {
    const names = [...strange, ...strange.map((name) => `${name}y`.repeat(60))];
    const branches = [
      ...names.map((name) => receiptsBranch('preview', name)),
      ...names.map((name) => receiptsBranch('preview', name, 'shop')),
      historyBranch('preview'),
    ];
    expect(new Set(branches.map((branch) => branch.toLowerCase())).size).toBe(branches.length);
  });

  it('gives the scope back', () => {
    for (const scope of strange) {
      expect(scopeOf(receiptsBranch('preview', scope))).toEqual({ environment: 'preview', plan: null, scope });
      const named = scopeOf(fullRef(receiptsBranch('Prod uction', scope.slice(0, 30), 'sh_op')));
      expect(named).toEqual({ environment: 'Prod uction', plan: 'sh_op', scope: scope.slice(0, 30) });
    }
  });

  it('is always a name that git and Windows accept', () => {
    for (const name of strange) {
      const encoded = encodeName(name);
      expect(encoded).toMatch(/^[a-z0-9%][a-z0-9.%-]*$/);
      expect(encoded).not.toMatch(/\.\.|\.$|\.lock$|^(con|nul|com1)(\.|$)/);
    }
  });

  it('turns too long a name into a prefix and a hash that stays short', () => {
    const long = receiptsBranch('preview', 'Ü'.repeat(90));
    expect(long.length).toBeLessThan(200);
    expect(long).toMatch(/^pilotfish-receipts\/preview\/(%c3%9c)+(%c3)?__[0-9a-f]{40}$/);
    expect(scopeOf(long)).toBeNull();
    expect(receiptsBranch('preview', `${'Ü'.repeat(90)}x`)).not.toBe(long);
  });

  it('refuses a name without characters', () => {
    expect(() => receiptsBranch('preview', '')).toThrow(/USAGE/);
    expect(() => receiptsBranch('preview', '\ud800')).toThrow(/USAGE/);
  });
});

describe('scopeOf', () => {
  it('knows what is not a scope', () => {
    for (const branch of [
      historyBranch('preview'),
      'main',
      'pilotfish-receipts/preview',
      'pilotfish-receipts/a/b/c',
      'pilotfish-receipts/a/B',
    ]) {
      expect(scopeOf(branch)).toBeNull();
    }
  });

  it('belongs to the environment whose prefix is listed', () => {
    expect(receiptsBranch('preview', 'a').startsWith(receiptsOf('preview'))).toBe(true);
    expect(receiptsBranch('preview-2', 'a').startsWith(receiptsOf('preview'))).toBe(false);
  });
});

describe('lockBranch', () => {
  it('names one ref per lock, hidden or below refs/heads', () => {
    expect(lockBranch('auth0/client/1')).toMatch(/^refs\/pilotfish\/locks\/[0-9a-f]{16}$/);
    expect(lockBranch('auth0/client/1', 'branch')).toMatch(/^refs\/heads\/pilotfish-locks\/[0-9a-f]{16}$/);
    expect(lockBranch('a')).not.toBe(lockBranch('b'));
    expect([lockBranch('a'), lockBranch('a', 'branch'), 'pilotfish-locks/x'].map(isLockBranch)).toEqual([true, true, true]);
    expect(isLockBranch(receiptsBranch('preview', 'pr-1'))).toBe(false);
  });
});
