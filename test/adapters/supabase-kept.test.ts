import { supabase } from 'pilotfish-sandbox/supabase/index';
import { it } from 'vitest';
import { storyClock, tellKept } from '../support/kept-story.ts';

const project_ref = 'shopshopshopshopshop';
const urls = ['https://pr-12.acme.example/**', 'https://*-pr-12.acme.example'];
const theirs = ['http://localhost:3000', 'https://pr-1*.acme.example/**'];

it('addresses in a list that is one text with commas are added once, globs and all', async () => {
  const clock = storyClock();
  const simulation = supabase({ clock });
  const project = simulation.world.addProject(project_ref);
  project.uri_allow_list = theirs.join(',');
  const entries = () => (project.uri_allow_list ?? '').split(',');
  await tellKept({
    clock,
    simulation,
    env: { SUPABASE_ACCESS_TOKEN: simulation.tokens.full },
    lines: urls.map((url, i) => ({ id: `url-${i}`, adapter: 'supabase', op: 'auth_redirect', project_ref, url })),
    mine: () => entries().filter((entry) => urls.includes(entry)),
    others: () => [project.site_url, entries().filter((entry) => !urls.includes(entry))],
    edits: [() => void Object.assign(project, { uri_allow_list: [...theirs, urls[1]].join(',') })],
  });
});
