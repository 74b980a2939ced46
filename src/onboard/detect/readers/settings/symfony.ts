import type { FactReader } from '../../facts.ts';
import { pairsOfYaml, readPairs } from './jvm.ts';

/** Packages of Symfony: keys such as `framework.mailer.dsn`, and variables in `%env(DATABASE_URL)%`. */
export const symfony: FactReader = {
  name: 'config/packages of Symfony',
  takes: (path) => /(?:^|\/)config\/(?:packages\/(?:\w+\/)?[\w-]+|services(?:_\w+)?)\.ya?ml$/.test(path),
  endings: ['yaml', 'yml'],
  read: (file, asked) => {
    const [, environment] = /\/packages\/(\w+)\//.exec(file.path) ?? [];
    const pairs = pairsOfYaml(file.text).filter(({ key }) => !/^when@(?:dev|test)/.test(key));
    if (environment === 'test' || environment === 'dev') return {};
    return readPairs(
      file,
      asked,
      pairs.map((pair) => ({ ...pair, key: pair.key.replace(/^when@\w+\./, '') })),
    );
  },
};
