import { seed, type World } from 'pilotfish-sandbox/all';
import { expect } from 'vitest';
import { errorTable } from '../../src/core/error-table.ts';
import { Failure, Failures } from '../../src/core/errors.ts';
import { lockBranch } from '../../src/ledger/model/names.ts';

/** The lines whose facts are forged: an object, an object with a name that people choose, an entry of a shared list. */
export const kinds = ['payments', 'dns', 'callback'] as const;
export type Kind = (typeof kinds)[number];

export const sharedList = lockBranch(`https://acme.eu.auth0.com/api/v2/clients/${seed.auth0Client}`);

const hasName = (text: string, name: string): boolean => text.includes(`//${name}.`) || text.startsWith(`${name}.`);

/** What stands at the providers, each as it is there: what these scopes have, or all else. */
export function standing({ stripe, cloudflare, auth0 }: World, names: readonly string[], whose: 'own' | 'others'): readonly string[] {
  const { callbacks, allowed_logout_urls: logout } = auth0.world.client(seed.auth0Client);
  const all = [
    ...stripe.world.endpoints().map((one) => [one.url, one] as const),
    ...cloudflare.world.records(seed.zone.id).map((one) => [one.name, one] as const),
    ...[callbacks, logout].flatMap((list) => (list as readonly string[]).map((one) => [one, one] as const)),
  ];
  return all.filter(([text]) => names.some((name) => hasName(text, name)) === (whose === 'own')).map(([, one]) => JSON.stringify(one));
}

/** Takes away what a scope left where a provider takes few of a kind. */
export function tidy({ stripe }: World, name: string): void {
  for (const { id, url } of stripe.world.endpoints()) if (hasName(url, name)) stripe.world.removeEndpoint(id);
}

/** Objects that a person made, one of each kind. */
export function personsObjects({ stripe, cloudflare }: World): { readonly [kind in Kind]: string } {
  const record = cloudflare.world.addRecord(seed.zone.id, {
    type: 'CNAME',
    name: `www.${seed.zone.name}`,
    content: 'cname.vercel-dns.com',
  });
  return {
    payments: stripe.world.addEndpoint('https://theirs.example/hook').id,
    dns: record.id,
    callback: 'https://shop.acme.example/callback',
  };
}

/** What people read of a run: its document, or the errors that it ended with. Anything else that is thrown is no end. */
export async function told(run: Promise<object>): Promise<string> {
  const end = await run.catch((thrown: unknown) => {
    const failures = thrown instanceof Failures ? thrown.failures : thrown instanceof Failure ? [thrown] : [];
    if (failures.length === 0) throw thrown;
    return { ok: false, errors: failures.map((one) => one.toData()) };
  });
  const text = JSON.stringify(end);
  for (const [, code = ''] of text.matchAll(/"code":"([A-Z_]+)"/g)) {
    expect(Object.keys(errorTable)).toContain(code);
    expect(code).not.toBe('INTERNAL');
  }
  return text;
}

/** A run that says it is complete left nothing; another one names the line or the object of each that stands, or the file that it cannot read. */
export function expectNamed(world: World, name: string, said: string): void {
  const left = standing(world, [name], 'own');
  const { ok } = JSON.parse(said) as { readonly ok?: boolean };
  if (ok === true || /"outcome":"(?:destroyed|gone)"/.test(said)) expect(left, said).toEqual([]);
  const isUnread = /"LEDGER_(?:CORRUPT|VERSION)".*(?:\.jsonl?\b|deletes\/)/.test(said);
  for (const one of left) {
    const { id = one, name: called = id } = one.startsWith('{') ? (JSON.parse(one) as { id?: string; name?: string }) : {};
    const line = one.startsWith('{"id":"we_') ? 'payments' : one.startsWith('{') ? 'dns' : 'callback';
    const isSaid = isUnread || [id, called, `"${line}"`, ` ${line}`].some((word) => said.includes(word));
    expect(isSaid, `${one} stands, and the run does not say so: ${said}`).toBe(true);
  }
}
