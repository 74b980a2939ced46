import { expect, it } from 'vitest';
import { work } from '../../../../../test/support/work.ts';
import type { Reading } from '../../facts.ts';
import { javascript } from '../code/javascript.ts';
import { textRenames } from './text-renames.ts';

const asked = { hosts: [], schemes: [], modules: [], resources: [] };
const renamesIn = (path: string, text: string): string[] => {
  const reader = [textRenames, javascript].find((one) => one.takes(path));
  const reading = reader?.read({ path, text }, asked) as Reading | undefined;
  const { renames = [] } = reading ?? {};
  return renames.map(
    ({ from, to, isPrefix, folder }) => `${from}${isPrefix ? '*' : ''} is ${to}${isPrefix ? '*' : ''}${folder ? ` in ${folder}` : ''}`,
  );
};

it.each([
  [
    'deploy.sh',
    'export DATABASE_URL="$POSTGRES_URL"\nVITE_API_URL=${API_URL:-x} npm run build',
    ['POSTGRES_URL is DATABASE_URL', 'API_URL is VITE_API_URL'],
  ],
  ['deploy.sh', 'echo "API_URL=$SHOP_URL" >> apps/web/.env', ['SHOP_URL is API_URL in apps/web']],
  [
    'env.sh',
    "sed 's/^PUBLIC_/NEXT_PUBLIC_/' .env > apps/web/.env.local\nsed -e 's|^|VITE_|' .env > apps/phone/.env",
    ['PUBLIC_* is NEXT_PUBLIC_* in apps/web', '* is VITE_* in apps/phone'],
  ],
  [
    'package.json',
    '{ "scripts": { "build": "VITE_URL=$API_URL vite build", "env": "dotenv -v DATABASE_URL=$SHOP_URL -- prisma" } }',
    ['API_URL is VITE_URL', 'SHOP_URL is DATABASE_URL'],
  ],
  [
    'Dockerfile',
    'ARG API_URL\nENV VITE_API_URL=$API_URL\nENV DATABASE_URL ${SHOP_URL}',
    ['API_URL is VITE_API_URL', 'SHOP_URL is DATABASE_URL'],
  ],
  [
    '.github/workflows/ci.yml',
    'env:\n  NEXT_PUBLIC_URL: ${{ secrets.API_URL }}\n  SAME_URL: ${{ vars.SAME_URL }}\n',
    ['API_URL is NEXT_PUBLIC_URL'],
  ],
  [
    'docker-compose.yml',
    'environment:\n  DATABASE_URL: ${SHOP_URL:-x}\n  - API_URL=${SHOP_API}\n',
    ['SHOP_URL is DATABASE_URL', 'SHOP_API is API_URL'],
  ],
  [
    'scripts/env.mjs',
    "const text = fs.readFileSync('.env', 'utf8')\nfs.writeFileSync('apps/web/.env', text.replaceAll(/^PUBLIC_/gm, 'NEXT_PUBLIC_'))\nfs.writeFileSync('apps/phone/.env', text.replace('PUBLIC_', \"EXPO_PUBLIC_\"))",
    ['PUBLIC_* is NEXT_PUBLIC_* in apps/web', 'PUBLIC_* is EXPO_PUBLIC_* in apps/phone'],
  ],
  ['scripts/env.ts', "import dotenv from 'dotenv'\nfor (const name of names) out[`VITE_${name}`] = env[name]", ['* is VITE_*']],
])('%s: %s', (path, text, expected) => expect(renamesIn(path, text)).toEqual(expected));

it.each([
  ['deploy.sh', '# DATABASE_URL=$OLD_URL\nA_URL=$A_URL\nURL=https://$HOST_NAME/x\nif [ "$A_KEY" = "$B_KEY" ]; then'],
  ['.github/workflows/ci.yml', 'run: echo ${{ secrets.A_KEY }}\nname: X ${{ matrix.A }}'],
  ['src/names.ts', "export const plain = (name: string) => name.replace('PUBLIC_', 'NEXT_PUBLIC_')"],
  ['deploy.sh', "sed 's/OLD_/NEW_/' README.md"],
])('none in %s: %s', (path, text) => expect(renamesIn(path, text)).toEqual([]));

it('are found in time that grows with the length of the file, not with its square', async () => {
  for (const piece of ['A=$', 'AB=$AB ', "sed 's/", 'ENV A ', 'AB: ${', '${{ secrets.', 'export ']) {
    for (const path of ['a.sh', 'compose.yaml']) {
      expect(await work(() => renamesIn(path, piece.repeat(Math.ceil(200_000 / piece.length)))), piece).toBeLessThan(4_000);
    }
  }
});
