import type { Told } from './found-facts.ts';

/** Variables of sign-in with another account: `GITLAB_CLIENT_ID`, `AUTH_OKTA_SECRET`. */
const signIn = /_(?:CLIENT_ID|CLIENT_SECRET)$|^AUTH_\w+_(?:ID|SECRET)$/;

/** No app signs its people in with as many accounts. A file with more of them lets whoever runs the app choose. */
const most = 15;

/** Takes the proof from variables of services that a file lists for a choice. Another kind of fact must speak for each of them. */
export function withoutMenus(told: readonly Told[]): readonly Told[] {
  const offered = Map.groupBy(
    told.filter(({ fact: { kind, name }, strength }) => kind === 'variable' && strength === 'uses' && signIn.test(name)),
    ({ fact }) => fact.file,
  );
  const chosen = new Set<number>();
  for (const facts of offered.values()) {
    const services = new Set(facts.map(({ service }) => service));
    if (services.size > most) for (const service of services) chosen.add(service);
  }
  if (chosen.size === 0) return told;
  return told.map((one) =>
    chosen.has(one.service) && one.fact.kind === 'variable' && one.strength === 'uses' ? { ...one, strength: 'may' } : one,
  );
}
