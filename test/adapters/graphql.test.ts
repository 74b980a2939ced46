import { railway } from 'pilotfish-sandbox/railway';
import { describeOp } from '../support/describe-recipe.ts';

const where = { projectId: '4f2b8c1e-project', environmentId: '9a7d3e5f-preview', serviceId: '1c6e0b2d-web' };
const upsert = 'mutation upsert($input: VariableUpsertInput!) { variableUpsert(input: $input) }';
const look =
  'query look($projectId: String!, $environmentId: String!, $serviceId: String, $unrendered: Boolean) { variables(projectId: $projectId, environmentId: $environmentId, serviceId: $serviceId, unrendered: $unrendered) }';
const write = {
  graphql: {
    query: upsert,
    variables: { input: { ...where, name: '{id}', skipDeploys: true } },
    data_path: '/variableUpsert',
    idempotent: true,
  },
  fields_at: '/input',
};
const requests = {
  look: ({ text }: { readonly text: string }) => text.includes('query look'),
  create: ({ text }: { readonly text: string }) => text.includes('variableUpsert') || text.includes('variableCollectionUpsert'),
};

const whole = 'the value is all that a variable has: without it there is none';
const wholeValue = {
  'untidy silently-dropped': whole,
  'untidy shown-otherwise': whole,
  'untidy scalar-or-list: texts as lists of one': 'a variable is one text, as its query says',
};

describeOp('http.resource', {
  simulate: railway,
  subject: ({ origin, basePath, world }) => {
    world.addEnvironment(where.projectId, where.environmentId, where.serviceId);
    const all = world.variables(where.environmentId, where.serviceId);
    Object.assign(all, { PORT: { value: '3000' } });
    return {
      apis: { railway: { base_url: origin + basePath, auth: { bearer_env: 'RAILWAY_API_TOKEN' } } },
      line: { api: 'railway' },
      credential: 'RAILWAY_API_TOKEN',
      params: {
        read: { graphql: { query: look, variables: { ...where, unrendered: true }, data_path: '/variables/API_URL' } },
        witness: { graphql: { query: look, variables: where, data_path: '/variables' } },
        chosen_id: 'API_URL',
        fields: { value: 'https://api-pr-12.acme.example' },
        create: write,
        update: write,
        delete: {
          graphql: {
            query: 'mutation remove($input: VariableDeleteInput!) { variableDelete(input: $input) }',
            variables: { input: { ...where, name: '{id}' } },
            data_path: '/variableDelete',
            idempotent: true,
          },
        },
      },
      mine: () => Object.entries(all).flatMap(([name, one]) => (name === 'API_URL' ? [one] : [])),
      others: () => Object.entries(all).filter(([name]) => name !== 'API_URL'),
      stands: { value: 'https://api-pr-12.acme.example' },
      edits: { value: { value: 'https://elsewhere.example' } },
      changes: { value: { fields: { value: 'https://next.acme.example' } } },
      remove: () => {
        delete all.API_URL;
      },
      foreign: () => Object.assign(all, { API_URL: { value: 'https://theirs.example' } }),
      requests: { ...requests, remove: ({ text }) => text.includes('variableDelete') },
    };
  },
  skip: { ...wholeValue, twoMatches: 'a name holds one value' },
});

describeOp('http.list_item', {
  simulate: railway,
  subject: ({ origin, basePath, world }) => {
    world.addEnvironment(where.projectId, where.environmentId, where.serviceId);
    const all = world.variables(where.environmentId, where.serviceId);
    Object.assign(all, { PORT: { value: '3000' } });
    return {
      apis: { railway: { base_url: origin + basePath, auth: { bearer_env: 'RAILWAY_API_TOKEN' } } },
      line: { api: 'railway' },
      credential: 'RAILWAY_API_TOKEN',
      params: {
        parent: {
          read: { graphql: { query: look, variables: { ...where, unrendered: true }, data_path: '/variables' } },
          write: {
            graphql: {
              query: 'mutation put($input: VariableCollectionUpsertInput!) { variableCollectionUpsert(input: $input) }',
              variables: { input: { ...where, replace: true, skipDeploys: true } },
              data_path: '/variableCollectionUpsert',
              idempotent: true,
            },
          },
          write_list_path: '/input/variables',
        },
        list_path: '',
        shape: 'map',
        item: 'API_URL',
        value: 'https://api-pr-12.acme.example',
      },
      mine: () => Object.entries(all).flatMap(([name, one]) => (name === 'API_URL' ? [one] : [])),
      others: () => Object.entries(all).filter(([name]) => name !== 'API_URL'),
      stands: { value: 'https://api-pr-12.acme.example' },
      edits: { value: { value: 'https://elsewhere.example' } },
      changes: { value: { value: 'https://next.acme.example' } },
      remove: () => {
        delete all.API_URL;
      },
      foreign: () => Object.assign(all, { API_URL: { value: 'https://theirs.example' } }),
      requests: { ...requests, remove: requests.create },
    };
  },
  skip: { ...wholeValue, twoMatches: 'a name holds one value' },
});
