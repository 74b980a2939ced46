import { type Change, gone } from 'pilotfish-sandbox/untidy/body';
import { heardAs, toldAs } from 'pilotfish-sandbox/untidy/spelling';
import type { Wire } from 'pilotfish-sandbox/untidy/wire';
import { secretsOf } from '../ours.ts';
import type { Meeting, World } from '../world.ts';

const none = 'its plan gives it no secret';
const never = 'no answer shows the secret, so there is nothing to hide';

const hidden = (name: string, show: (secret: string) => unknown, more: Partial<Meeting> = {}): World => ({
  kind: 'secret-hidden',
  name,
  meet: (subject) => {
    const secrets = secretsOf(subject);
    if (secrets.length === 0) return none;
    return { wire: { tell: (answer) => toldAs(answer, instead(secrets, show)) }, never, edit: false, ...more };
  },
});

const instead =
  (secrets: readonly string[], show: (secret: string) => unknown): Change =>
  (value) =>
    typeof value === 'string' && secrets.includes(value) ? show(value) : value;

/** What stands where a secret was sent. */
export const secrets: readonly World[] = [
  hidden('a mask', () => '********'),
  hidden('the end alone', (secret) => `****${secret.slice(-2)}`),
  // Nothing where a value was sent is a value that is not kept, unless the recipe says that its provider hides it.
  hidden('null', () => null, { mayTell: [''] }),
  hidden('nothing', () => gone, { mayTell: [''] }),
  {
    kind: 'secret-ciphertext',
    name: 'another one with each write',
    meet: (subject) => {
      const all = secretsOf(subject);
      return all.length === 0 ? none : { wire: enciphered(all), never, edit: false };
    },
  },
];

function enciphered(all: readonly string[]): Wire {
  let writes = 0;
  const cipher = (secret: string): string => `EV[${writes}:${Buffer.from(`${writes}${secret}`).toString('base64url')}]`;
  const ours = new Map<string, string>();
  return {
    hear: (request) => heardAs(request, (value) => (typeof value === 'string' ? (ours.get(value) ?? value) : value)),
    tell: (answer, { isWrite }) => {
      if (isWrite) writes += 1;
      const change: Change = (value) => {
        if (typeof value !== 'string' || !all.includes(value)) return value;
        ours.set(cipher(value), value);
        return cipher(value);
      };
      return toldAs(answer, change);
    },
  };
}
