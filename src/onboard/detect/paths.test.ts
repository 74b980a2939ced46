import { describe, expect, it } from 'vitest';
import { withoutAddress } from './paths.ts';
import { useOf } from './readers/code/source-code.ts';
import { isTestPath } from './readers/source.ts';
import { isAside } from './units/roles.ts';

describe('a folder that a framework makes a part of an address says nothing of the file', () => {
  it.each([
    ['web/app/api/test/route.ts', 'web/app/route.ts'],
    ['src/app/(site)/testing/page.tsx', 'src/app/page.tsx'],
    ['src/routes/spec/[id]/+page.server.ts', 'src/routes/+page.server.ts'],
    ['pages/api/e2e/reset.ts', 'pages/api/reset.ts'],
    ['server/api/test/ping.get.ts', 'server/api/ping.get.ts'],
    ['app/docs/tools/page.tsx', 'app/page.tsx'],
  ])('%s', (path, rest) => {
    expect(withoutAddress(path)).toBe(rest);
    expect([isTestPath(path), isAside(path), useOf(path)]).toEqual([false, false, 'runtime']);
  });

  it.each([
    'web/app/api/test/route.test.ts',
    'e2e/app/orders/route.ts',
    'tests/pages/api/login.ts',
    'pages/api/__tests__/login.ts',
    'src/app/test/helpers.ts',
    'app/models/test/page_test.rb',
    'server/test/app.ts',
  ])('and %s is a test', (path) => expect([isTestPath(path), isAside(path), useOf(path)]).toEqual([true, true, 'develop']));
});
