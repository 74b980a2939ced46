import { cockroachdb } from 'pilotfish-sandbox/cockroachdb';
import { describeRecipe } from '../support/describe-recipe.ts';

const cluster_id = '1a9f3c52-77d0-4d2e-9a5e-3c0d5b8f6e21';
const name = 'shop_pr_12';
const neighbours = ['defaultdb', 'shop_pr_1', 'shop_pr_120', 'shop_pr_13'];

describeRecipe('cockroachdb.database', {
  simulate: cockroachdb,
  subject: ({ world }) => {
    const { databases, users } = world.addCluster(cluster_id);
    // The one that is looked for stands on a later page.
    world.state.pageSize = 2;
    for (const other of neighbours) databases[other] = { name: other, tables: 3 };
    users[name] = { name, password: 'theirs-and-secret' };
    return {
      credential: 'COCKROACH_API_KEY',
      params: { cluster_id, name },
      mine: () => Object.values(databases).filter((one) => one.name === name),
      others: () => [Object.values(databases).filter((one) => one.name !== name), users],
      stands: { name },
      edits: {},
      undeclared: { tables: 12 },
      isUnique: true,
      remove: () => {
        delete databases[name];
      },
      foreign: () => {
        databases[name] = { name, tables: 7 };
      },
    };
  },
  skip: { twoMatches: 'names are unique in a cluster' },
});

describeRecipe('cockroachdb.sql_user', {
  simulate: cockroachdb,
  subject: ({ world }) => {
    const { databases, users } = world.addCluster(cluster_id);
    world.state.pageSize = 2;
    for (const other of neighbours) users[other] = { name: other, password: `${other}-and-secret` };
    databases[name] = { name, tables: 3 };
    return {
      credential: 'COCKROACH_API_KEY',
      env: { PREVIEW_DB_PASSWORD: 'pr-12-hunter2-hunter2' },
      params: { cluster_id, name, password: { secret: 'env://PREVIEW_DB_PASSWORD' } },
      mine: () => Object.values(users).filter((one) => one.name === name),
      others: () => [Object.values(users).filter((one) => one.name !== name), databases],
      stands: { name, password: 'pr-12-hunter2-hunter2' },
      edits: {},
      unseen: { password: 'it is never shown' },
      isUnique: true,
      remove: () => {
        delete users[name];
      },
      foreign: () => {
        users[name] = { name, password: 'theirs-and-secret' };
      },
    };
  },
  skip: { twoMatches: 'names are unique in a cluster' },
});
