import { expect, it } from 'vitest';
import { app, type Files, initIn } from './init-in.ts';

it.each<readonly [string, Files, string, string]>([
  [
    'the database of a blueprint',
    {
      'package.json': app(['express', 'pg']),
      'render.yaml':
        'previews: { generation: automatic }\nservices:\n  - type: web\n    name: a\n    runtime: node\n    envVars:\n      - key: DATABASE_URL\n        fromDatabase: { name: a-db, property: connectionString }\ndatabases:\n  - name: a-db\n',
      'db.js': "const { Pool } = require('pg');\nmodule.exports = new Pool({ connectionString: process.env.DATABASE_URL });\n",
    },
    'postgres',
    'DATABASE_URL',
  ],
  [
    'add-ons of a review app',
    {
      Gemfile: "gem 'rails'\ngem 'pg'\n",
      Procfile: 'web: puma\n',
      'app.json': { name: 'a', environments: { review: { addons: ['heroku-postgresql:essential-0', 'papertrail'] } } },
      'config/database.yml': "production:\n  url: <%= ENV['DATABASE_URL'] %>\n",
    },
    'postgres',
    'DATABASE_URL',
  ],
  [
    'a backend for each branch',
    {
      'package.json': app(['aws-amplify']),
      'amplify.yml':
        'version: 1\nbackend:\n  phases:\n    build:\n      commands: [npx ampx pipeline-deploy --branch $AWS_BRANCH]\nfrontend: {}\n',
      'amplify/backend.ts':
        "import { defineBackend } from '@aws-amplify/backend';\nimport { auth } from './auth/resource';\ndefineBackend({ auth });\n",
      'amplify/auth/resource.ts':
        "import { defineAuth } from '@aws-amplify/backend';\nexport const auth = defineAuth({ loginWith: { email: true } });\n",
    },
    'cognito',
    'AMPLIFY_AUTH',
  ],
])('%s: it is listed as made by the host, and nothing is handed over', async (_, files, service, variable) => {
  const said = await initIn(files);
  expect(said.told.made_by_host.map(({ name }) => name)).toContain(service);
  expect(said.told.wired.map((one) => one.variable)).not.toContain(variable);
  expect(said.live.filter(({ params }) => Object.values(params).includes(variable))).toEqual([]);
  expect(await said.text()).toMatch(/host makes|makes (?:it|them)|made by/i);
});
