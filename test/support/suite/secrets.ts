import { expect } from 'vitest';
import type { Bench } from './bench.ts';
import { type Case, createOf } from './case.ts';

/** What must appear in no document, event or file, whatever happens. */
export const secrecy: Case = {
  says: 'no secret appears in a document, an event or a file, also when the provider repeats it in an error',
  run: async (bench) => {
    const documents: unknown[] = [];
    const known = bench.stage.env;
    const given = [bench.simulation.tokens.full, ...plantedIn(bench.subject.params, known)];
    // Some providers quote the request in what they refuse.
    const quote = { message: `refused: ${given.join(' and ')}`, errors: given.map((message) => ({ message })) };
    bench.simulation.faults.once(createOf(bench), 400, quote);
    documents.push(await bench.plan(), await bench.apply());
    expect(JSON.stringify(documents), 'the refusal was told').toContain('refused');
    documents.push(await bench.applied(), await bench.applied());
    const gives = bench.subject.gives?.() ?? {};
    expect(Object.keys(gives).sort(), 'sensitive outputs').toEqual([...(await bench.told()).sensitive].sort());
    // What a run does not know it masks nowhere, and gives no other line.
    for (const [output, value] of Object.entries(gives)) expect(bench.stage.masked.has(value), `the run knows ${output}`).toBe(true);
    const secrets = [...given, ...Object.values(gives), ...(bench.subject.secrets?.() ?? [])];
    await expectAbsent(bench, secrets, documents);
    documents.push(await bench.destroy());
    await expectAbsent(bench, secrets, documents);
  },
};

async function expectAbsent(bench: Bench, secrets: readonly string[], documents: readonly unknown[]): Promise<void> {
  const files = await bench.stage.bytes();
  const told = JSON.stringify([documents, bench.events]);
  for (const secret of secrets) {
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      expect(told.includes(form), 'a secret is in a document or an event').toBe(false);
      expect(files.includes(form), 'a secret is in a file').toBe(false);
    }
  }
}

/** Values of the variables that `{ secret: env://NAME }` names. */
function plantedIn(value: unknown, env: Readonly<Record<string, string>>): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const reference: unknown = 'secret' in value ? value.secret : null;
  const name = typeof reference === 'string' ? /^env:\/\/(.+)$/.exec(reference)?.[1] : undefined;
  if (name !== undefined) return [env[name] ?? ''];
  return Object.values(value).flatMap((one) => plantedIn(one, env));
}
