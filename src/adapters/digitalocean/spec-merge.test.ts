import { expect, it } from 'vitest';
import { withHidden } from './spec-merge.ts';
import { partSpec } from './spec-parts.ts';

it('a spec that others changed goes back as it stands, with new values where nobody can read them', () => {
  const secret = (value: string) => ({ key: 'TOKEN', type: 'SECRET', value });
  const { hidden } = partSpec({ region: 'ams', services: [{ name: 'web', instance_count: 1, envs: [secret('new')] }] });
  const live = {
    region: 'fra',
    services: [
      { name: 'theirs', envs: [secret('EV[1:other]')] },
      { name: 'web', instance_count: 3, envs: [{ key: 'THEIRS', value: 'a' }, secret('EV[1:old]')] },
    ],
  };
  expect(withHidden(live, hidden)).toEqual({
    region: 'fra',
    services: [
      { name: 'theirs', envs: [secret('EV[1:other]')] },
      { name: 'web', instance_count: 3, envs: [{ key: 'THEIRS', value: 'a' }, secret('new')] },
    ],
  });
});
