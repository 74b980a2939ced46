import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openLog } from './log.ts';
import { maskIn, maskVariables } from './mask.ts';

/** The texts that the runner must mask: `setSecret` writes them to the stdout of the process. */
function masked(act: (mask: (secret: string) => void) => void): readonly string[] {
  const written: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  act(maskIn(openLog(new PassThrough())));
  vi.restoreAllMocks();
  return written.flatMap((line) => /^::add-mask::(.*)\s*$/.exec(line)?.[1] ?? []);
}

afterEach(() => vi.restoreAllMocks());

describe('masks of the runner', () => {
  it('hold a secret, each of its lines, and each once', () => {
    const key = '-----BEGIN KEY-----\nabcdefghijkl\n  mnopqrstuvwx\r\n-----END KEY-----\n';
    const told = masked((mask) => {
      mask(key);
      mask('abcdefghijkl');
    });
    expect(told).toEqual([expect.stringContaining('%0A'), '-----BEGIN KEY-----', 'abcdefghijkl', 'mnopqrstuvwx', '-----END KEY-----']);
  });

  it('spare a text as short as a word, which would hide ordinary text', () => {
    expect(masked((mask) => mask('{\n"a": 1\n}'))).toEqual([expect.stringContaining('%0A'), '"a": 1']);
    expect(masked((mask) => mask('abc'))).toEqual([]);
  });

  it('spare a text that reads like an ordinary word, which stands in the log of every step', () => {
    expect(masked((mask) => ['create', 'preview', 'PROVIDER_AUTH', '200000'].forEach(mask))).toEqual([]);
  });

  it('hold every variable with the name of a credential', () => {
    const env = { NEON_API_KEY: 'napi_1234567', PATH: '/usr/bin:/bin', SHOP_TOKEN: 'tok_1234567', EMPTY_TOKEN: '' };
    expect(masked((mask) => maskVariables(env, mask))).toEqual(['napi_1234567', 'tok_1234567']);
  });
});
