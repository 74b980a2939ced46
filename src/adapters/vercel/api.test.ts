import { expect, it } from 'vitest';
import type { Http } from '../../http/types.ts';
import type { Io } from '../op.ts';
import { listEnv } from './api.ts';

it('a page that lines share is read once, and one that was answered anew is read anew', async () => {
  const page = () => ({ envs: [{ id: 'env_1', key: 'SHOP_URL', type: 'plain', target: ['preview'] }] });
  let body = page();
  const send = () => Promise.resolve({ status: 200, headers: {}, body });
  const http = { block: { api: 'vercel', base_url: 'https://api.vercel.example' }, send } as unknown as Http;
  const io = { http } as unknown as Io;
  const [one] = await listEnv(io, 'shop');
  const [other] = await listEnv(io, 'shop');
  expect(one).toMatchObject({ key: 'SHOP_URL', target: ['preview'], customEnvironmentIds: [] });
  expect(other).toBe(one);
  body = page();
  const [later] = await listEnv(io, 'shop');
  expect(later).toEqual(one);
  expect(later).not.toBe(one);
});
