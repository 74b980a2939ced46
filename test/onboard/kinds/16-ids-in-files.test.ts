import { expect, it } from 'vitest';
import { app, type Files, initIn } from './init-in.ts';

it.each<readonly [string, Files, readonly string[]]>([
  [
    'the organisation and project of Sentry',
    {
      'package.json': app(['next', '@sentry/nextjs']),
      'vercel.json': '{}',
      'next.config.js': 'module.exports = withSentryConfig({}, { org: "acme-rides", project: "bikes-web" });\n',
    },
    ['acme-rides', 'bikes-web'],
  ],
  [
    'the project of Firebase, in a folder',
    {
      'package.json': app(['firebase']),
      'vercel.json': '{}',
      'src/auth.ts': "import { getAuth } from 'firebase/auth';\nexport const auth = getAuth();\n",
      'backend/.firebaserc': { projects: { default: 'tasting-notes-4c' } },
      'backend/firebase.json': { auth: {} },
    },
    ['tasting-notes-4c'],
  ],
  [
    'the app of Amplify',
    {
      'package.json': app(['@supabase/supabase-js']),
      'amplify.yml': 'version: 1\nfrontend: {}\n',
      'amplify/team-provider-info.json': { main: { awscloudformation: { Region: 'eu-central-1', AmplifyAppId: 'd9xyz0abc1def2' } } },
      'src/c.ts':
        "import { createClient } from '@supabase/supabase-js';\nexport const c = createClient(process.env.SUPABASE_URL, process.env.SUPABASE_ANON_KEY);\n",
    },
    ['d9xyz0abc1def2'],
  ],
  [
    'flags of a workflow',
    {
      'package.json': app(['react-router', '@supabase/supabase-js']),
      'fly.preview.toml': 'app = "club"\nprimary_region = "lhr"\n',
      'db.ts':
        "import { createClient } from '@supabase/supabase-js';\nexport const c = createClient(process.env.SUPABASE_URL, process.env.SUPABASE_ANON_KEY);\n",
      '.github/workflows/preview.yml':
        'on: pull_request\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: flyctl apps create club-pr-${{ github.event.number }} --org club-org || true\n      - run: flyctl deploy -c fly.preview.toml -a club-pr-${{ github.event.number }}\n',
    },
    ['club-pr-${ctx.pr.number}'],
  ],
  [
    'a link file',
    {
      'package.json': app(['next', '@neondatabase/serverless']),
      '.vercel/project.json': { projectId: 'prj_linked', orgId: 'team_linked' },
      '.neon': { projectId: 'quiet-sea-87654321' },
      'db.ts': "import { neon } from '@neondatabase/serverless';\nexport const sql = neon(process.env.DATABASE_URL!);\n",
    },
    ['prj_linked', 'team_linked', 'quiet-sea-87654321'],
  ],
])('%s stands in the plan', async (_, files, ids) => {
  const { plan } = await initIn(files);
  for (const id of ids) expect(plan).toContain(id);
});
