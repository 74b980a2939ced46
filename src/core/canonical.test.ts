import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, hashJson, sha256 } from './canonical.ts';

describe('canonical JSON', () => {
  it('orders keys by UTF-16 units and writes numbers as ECMAScript does', () => {
    expect(canonicalJson({ b: 1e21, a: [1.0, 0.1, -0, 1e-7], '€': 'x', '\r': 2 })).toBe('{"\\r":2,"a":[1,0.1,0,1e-7],"b":1e+21,"€":"x"}');
  });

  it('hashes equal values equally, whatever the order of their keys', () => {
    assert(
      property(jsonValue(), jsonValue(), (x, y) => {
        expect(hashJson({ x, y })).toBe(hashJson({ y, x }));
      }),
    );
  });

  it('refuses what JSON cannot hold', () => {
    for (const bad of [undefined, Number.NaN, Number.POSITIVE_INFINITY, () => 1]) expect(() => canonicalJson(bad)).toThrow();
  });

  it('hashes text as UTF-8', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(sha256('é')).toBe('4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c');
  });
});
