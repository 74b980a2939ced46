import { type RecordSet, route53 } from 'pilotfish-sandbox/aws-route53/index';
import { expect, it } from 'vitest';
import { applied, expectLeft, expectQuiet, type KeptStory, openStory, storyClock, tellKept } from '../support/kept-story.ts';

const zone = 'Z0123456789ABCDEFGHIJ';

/** One record set of a zone in which others have theirs. */
function storyOf(line: { readonly name: string; readonly type: string; readonly values: readonly string[] }) {
  const clock = storyClock();
  const simulation = route53({ clock });
  const { world, tokens } = simulation;
  world.addZone('acme.example', { id: zone });
  world.addRecord(zone, { Name: '*.pr-13.acme.example.', Type: line.type, TTL: 60, ResourceRecords: [] });
  const isMine = ({ Name }: RecordSet): boolean => Name.includes('pr-12');
  const story: KeptStory = {
    clock,
    simulation,
    env: { AWS_ACCESS_KEY_ID: world.keyIds.full, AWS_SECRET_ACCESS_KEY: tokens.full },
    lines: [{ id: 'name', adapter: 'route53', op: 'record', hosted_zone_id: zone, ttl: 60, ...line }],
    mine: () => world.records(zone).filter(isMine),
    others: () => world.records(zone).filter((one) => !isMine(one)),
  };
  return { story, simulation, world };
}

it('a star, which Route 53 shows as its number, and capitals and a final dot are one record for ever', async () => {
  const { story } = storyOf({ name: '*.PR-12.acme.example.', type: 'CNAME', values: ['A.vercel-dns.com.'] });
  await tellKept({
    ...story,
    stands: [{ Name: '*.pr-12.acme.example.' }],
    edits: [() => Object.assign(story.mine()[0] ?? {}, { ResourceRecords: ['b.vercel-dns.com'] })],
  });
});

it('texts stand in quotes, in escapes and in pieces, and are compared as the texts that they are', async () => {
  const values = ['v=spf1 include:example.com -all', 'say "hi" \\ grün', 'a'.repeat(255), 'b'.repeat(600)];
  const { story } = storyOf({ name: 'pr-12.acme.example', type: 'TXT', values });
  await tellKept({
    ...story,
    stands: [
      {
        ResourceRecords: [
          '"v=spf1 include:example.com -all"',
          '"say \\"hi\\" \\134 gr\\303\\274n"',
          `"${'a'.repeat(255)}"`,
          `"${'b'.repeat(255)}" "${'b'.repeat(255)}" "${'b'.repeat(90)}"`,
        ],
      },
    ],
    edits: [() => Object.assign(story.mine()[0] ?? {}, { ResourceRecords: ['"theirs"'] })],
  });
});

it.each([
  ['MX', ['10 Mail-1.example.com', '20 mail-2.example.com'], ['20 mail-2.example.com.', '10 mail-1.example.com.']],
  ['A', ['192.0.2.1', '192.0.2.2'], ['192.0.2.2', '192.0.2.1']],
  ['CNAME', ['Target.example.com'], ['target.example.com.']],
])('another order, case or final dot of the values of %s is no drift', async (type, values, shown) => {
  const { story } = storyOf({ name: 'pr-12.acme.example', type, values });
  const stage = await openStory(story);
  const before = structuredClone(story.others());
  await applied(stage, 'the apply');
  Object.assign(story.mine()[0] ?? {}, { ResourceRecords: shown });
  await expectQuiet(story, stage);
  await expectLeft(story, stage, before);
});

it('a change that is pending is waited for before the run ends, and never before a delete', async () => {
  const { story, simulation } = storyOf({ name: 'pr-12.acme.example', type: 'CNAME', values: ['a.vercel-dns.com'] });
  simulation.faults.readyAfter(5);
  const stage = await openStory(story);
  await applied(stage, 'the apply');
  const looks = simulation.log.filter(({ path }) => path.includes('/change/')).length;
  expect(looks).toBe(6);
  await expectLeft(story, stage, story.others());
  expect(simulation.log.filter(({ path }) => path.includes('/change/'))).toHaveLength(looks);
});
