import { expect, it } from 'vitest';
import { fakeHttp } from '../../../test/support/fake-http.ts';
import { getAt } from '../../core/pointer.ts';
import { bindResource } from './resource.ts';

it('takes an answer with another moment than the sent one as that of an existing object', async () => {
  const bound = bindResource(
    {
      find: { path: '/hooks', match: { name: 'pr-12' } },
      create: { path: '/hooks', stamp: ['/meta/at'], stamp_tells: true },
      fields: {},
    },
    { environment: 'preview', scope: 'pr-12' },
  );
  const made = (at: (sent: string) => string | null) => {
    const http = fakeHttp(({ body }) => ({ body: { id: 7, meta: { at: at(String(getAt(body, '/meta/at'))) } } }));
    return bound.create({ http, signal: new AbortController().signal, note: () => undefined }, {});
  };
  expect(await made((sent) => sent.replace(/Z$/, '000+00:00'))).toMatchObject({ id: '7' });
  for (const other of [null, '2026-11-01T00:00:00Z', 'yesterday'])
    await expect(made(() => other)).rejects.toMatchObject({ code: 'PROVIDER_CONFLICT' });
});
