import { s3 } from 'pilotfish-sandbox/aws-s3';
import { describeOp } from '../support/describe-recipe.ts';

const own = { AllowedMethod: ['GET'], AllowedOrigin: ['https://pr-12.acme.example'], AllowedHeader: [], MaxAgeSeconds: 3000 };
const theirs = { ID: 'pr-13', AllowedMethod: ['GET', 'PUT'], AllowedOrigin: ['https://pr-13.acme.example'], ExposeHeader: ['etag'] };

/** A bucket that has other rules, and one whose only rule is the line's. */
for (const others of [[theirs], []]) {
  describeOp('http.list_item', {
    simulate: s3,
    subject: ({ origin, tokens, world }) => {
      world.setRules(others.length > 0 ? structuredClone(others) : null);
      const mine = () => world.rules().filter(({ ID }) => ID === 'pr-12');
      return {
        apis: {
          objects: {
            base_url: origin,
            encoding: 'xml',
            region: 'eu-central-1',
            auth: { aws_v4: { access_key_id_env: 'AWS_ACCESS_KEY_ID', secret_access_key_env: 'AWS_SECRET_ACCESS_KEY', service: 's3' } },
          },
        },
        line: { api: 'objects' },
        credential: (tier) => ({ AWS_ACCESS_KEY_ID: world.keyIds[tier], AWS_SECRET_ACCESS_KEY: tokens[tier] }),
        params: {
          parent: {
            path: '/?cors',
            method: 'PUT',
            send: 'parent',
            body: { CORSConfiguration: { '@xmlns': 'http://s3.amazonaws.com/doc/2006-03-01/' } },
            if_missing: 'empty',
            missing_match: { '/Error/Code': 'NoSuchCORSConfiguration' },
          },
          settle: 120,
          list_path: '/CORSConfiguration/CORSRule',
          key_field: 'ID',
          item: 'pr-12',
          value: own,
          when_empty: 'delete',
        },
        mine,
        others: () => world.rules().filter(({ ID }) => ID !== 'pr-12'),
        stands: { ID: 'pr-12', AllowedMethod: ['GET'], AllowedOrigin: ['https://pr-12.acme.example'], MaxAgeSeconds: 3000 },
        edits: { value: { AllowedMethod: ['PUT'], MaxAgeSeconds: 3000 } },
        changes: { value: { value: { ...own, AllowedMethod: ['GET', 'HEAD'] } } },
        undeclared: { ExposeHeader: ['etag'] },
        remove: () => world.setRules(world.rules().filter(({ ID }) => ID !== 'pr-12')),
        foreign: () => world.setRules([...world.rules(), { ID: 'pr-12', ...own }]),
        requests: { create: { method: 'PUT' }, remove: { method: others.length > 0 ? 'PUT' : 'DELETE' } },
      };
    },
  });
}
