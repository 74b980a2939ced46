import { describe, expect, it } from 'vitest';
import { Redactor } from '../../core/redact.ts';
import { Sealed } from '../../core/sealed.ts';
import { Keyring } from './keyring.ts';

const env = {
  GITHUB_HEAD_REF: 'a-branch-of-anybody',
  TITLE_TOKEN: 'a-title-of-anybody',
  PR_TITLE: 'a-title-of-anybody',
  OWN_TOKEN: 'token-of-the-line',
};

async function keysOf(variable: string): Promise<number> {
  const readSecret = (reference: string): Promise<Sealed> => Promise.resolve(new Sealed(env[variable as keyof typeof env], reference));
  const keyring = new Keyring({ env, repository: 'acme/shop', redactor: new Redactor(), readSecret, named: new Set() });
  return (await keyring.keysOf({ auth: { bearer_env: 'G_TOKEN' }, credential: { secret: `env://${variable}` } })).length;
}

describe('a variable that a fact names as the secret of its line', () => {
  it.each(['GITHUB_HEAD_REF', 'TITLE_TOKEN'])('seals nothing when it is %s, whose value somebody else chose', async (variable) => {
    expect(await keysOf(variable)).toBe(0);
  });

  it('seals facts when it is the token of its owner', async () => {
    expect(await keysOf('OWN_TOKEN')).toBe(1);
  });
});
