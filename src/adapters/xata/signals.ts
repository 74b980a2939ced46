import type { ServiceSignals } from '../../ops/signals.ts';

/** `init` recognises Xata by these. */
export const signals: ServiceSignals = {
  uses: {
    packages: { npm: ['@xata.io/client', '@xata.io/drizzle', '@xata.io/kysely'], pypi: ['xata'] },
    variables: ['XATA_*'],
    hosts: ['.xata.sh', '.xata.tech'],
    files: ['.xata/project.json', '.xatarc'],
    commands: ['xata'],
    actions: ['xataio/gh-action'],
  },
  may: { packages: { npm: ['@xata.io/cli', '@xata.io/api'] } },
};
