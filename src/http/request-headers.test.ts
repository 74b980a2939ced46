import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RequestHeaders } from './request-headers.ts';

test('headers are kept, refused and told in the order in which Node keeps, refuses and tells them', () => {
  const name = fc.oneof(fc.constantFrom('Accept', 'X-A', 'x-a', 'ACCEPT-Language', 'a b', '', 'ü', 'x:y'), fc.string({ maxLength: 4 }));
  const value = fc.oneof(
    fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r', '\0', 'a', 'é', 'ÿ', 'Ā', '\u{1f600}', '\u007f', '\v'), maxLength: 6 }),
    fc.string(),
  );
  const step = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), name, value }),
    fc.record({ kind: fc.constant('delete' as const), name: fc.constantFrom('Accept', 'x-A') }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const ours = new RequestHeaders();
      const theirs = new Headers();
      for (const one of steps) {
        const act = (headers: RequestHeaders | Headers) => (): void =>
          one.kind === 'set' ? headers.set(one.name, one.value) : headers.delete(one.name);
        expect(threw(act(ours))).toBe(threw(act(theirs)));
      }
      expect([...ours]).toEqual([...theirs]);
      expect([...ours.keys()]).toEqual([...theirs.keys()]);
      expect([...new RequestHeaders(ours)]).toEqual([...ours]);
    }),
  );
});

function threw(act: () => void): boolean {
  try {
    act();
    return false;
  } catch (thrown) {
    if (thrown instanceof TypeError) return true;
    throw thrown;
  }
}
