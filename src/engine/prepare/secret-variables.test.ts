import { expect, it } from 'vitest';
import { Redactor } from '../../core/redact.ts';
import { maskEnvironment } from './secret-variables.ts';

it('masks values under secret-looking names and leaves others and short ones as they are', () => {
  const redactor = new Redactor();
  maskEnvironment(redactor, {
    HOOK_SECRET: 'hook-4f1d9a',
    HOME: '/home/somebody',
    CACHE_KEY: 'main',
    EMPTY_TOKEN: '',
    UNSET_TOKEN: undefined,
  });
  expect(redactor.text('hook-4f1d9a /home/somebody main')).toBe('*** /home/somebody main');
});
