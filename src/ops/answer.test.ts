import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { parseAnswer } from './answer.ts';

const list = () => ({ envs: [{ key: 'SHOP_URL', secret: 'whsec_1' }] });

it('each schema takes a body that lines share apart once', () => {
  const looked = vi.fn(() => true);
  const schema = z.object({ envs: z.array(z.object({ key: z.string().refine(looked) })) });
  const body = list();
  const first = parseAnswer(schema, body, 'vercel answered');
  expect(first).toEqual({ envs: [{ key: 'SHOP_URL' }] });
  expect(parseAnswer(schema, body, 'vercel answered')).toBe(first);
  expect(looked).toHaveBeenCalledTimes(1);
  expect(parseAnswer(z.object({ envs: z.unknown() }), body, 'vercel answered')).toEqual(body);
});

it('a schema takes an equal body of another answer apart anew', () => {
  const schema = z.object({ envs: z.array(z.object({ key: z.string() })) });
  const first = parseAnswer(schema, list(), 'vercel answered');
  const second = parseAnswer(schema, list(), 'vercel answered');
  expect(second).toEqual(first);
  expect(second).not.toBe(first);
});

it('a body that lacks a needed member is refused for every line that asks, and no error shows its values', () => {
  const schema = z.object({ envs: z.array(z.object({ key: z.string(), secret: z.number() })) });
  const body = list();
  for (const line of ['vercel answered line 1', 'vercel answered line 2']) {
    expect(() => parseAnswer(schema, body, line)).toThrow(
      expect.objectContaining({ code: 'PROVIDER_RESPONSE', detail: `${line} without a usable value at /envs/0/secret (invalid_type).` }),
    );
  }
});

it('a body that is no object is taken apart as it is', () => {
  expect(parseAnswer(z.string(), 'ok', 'slack answered')).toBe('ok');
  expect(() => parseAnswer(z.string(), 7, 'slack answered')).toThrow(/at the top/);
  expect(() => parseAnswer(z.string(), null, 'slack answered')).toThrow('slack answered with an empty body.');
});
