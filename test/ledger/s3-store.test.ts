import { join } from 'node:path';
import { serveS3Objects } from 'pilotfish-sandbox/aws-s3-objects';
import { openS3Store } from '../../src/ledger/stores/s3/s3-store.ts';
import { describeStore } from '../support/describe-store.ts';
import { quickPauses } from '../support/quick-clock.ts';
import { startS3Proxy } from '../support/s3-proxy.ts';
import { tempFolder } from '../support/temp-folder.ts';

describeStore('s3', async () => {
  const server = await serveS3Objects();
  const proxy = await startS3Proxy(server.port);
  const root = await tempFolder('s3');
  let machines = 0;
  const open = async (endpoint: string) => {
    machines += 1;
    return openS3Store({
      url: `s3://ledgers/acme/web?endpoint=${endpoint}&region=${server.region}`,
      cwd: root,
      env: { ...server.keys.full },
      repository: 'acme/web',
      clock: quickPauses,
      cacheDir: join(root, `machine-${machines}`),
    });
  };
  return {
    open: () => open(proxy.endpoint),
    openUnreachable: () => open('http://127.0.0.1:2'),
    loseNextAnswer: (afterwards) => proxy.onNextCommit({ fate: 'after', ...(afterwards && { afterwards }) }),
    close: async () => {
      await proxy.stop();
      await server.stop();
    },
  };
});
