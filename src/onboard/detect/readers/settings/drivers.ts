import type { Fact, FactReader } from '../../facts.ts';
import { baseOf } from '../source.ts';

/** Variables of Laravel that choose a driver, with the key of the setting that they fill. */
const choices: { readonly [variable: string]: string } = {
  MAIL_MAILER: 'mail.default',
  MAIL_DRIVER: 'mail.default',
  FILESYSTEM_DISK: 'filesystems.default',
  FILESYSTEM_DRIVER: 'filesystems.default',
  QUEUE_CONNECTION: 'queue.default',
  BROADCAST_CONNECTION: 'broadcasting.default',
  BROADCAST_DRIVER: 'broadcasting.default',
  CACHE_STORE: 'cache.default',
  CACHE_DRIVER: 'cache.default',
  SESSION_DRIVER: 'session.driver',
  SCOUT_DRIVER: 'scout.driver',
  DB_CONNECTION: 'database.default',
  LOG_CHANNEL: 'logging.default',
};

/** The drivers that have a service behind them. A list, because the value of a variable is only compared. */
const drivers = new Set(
  'ses ses-v2 postmark resend mailgun sendgrid brevo mailjet s3 r2 gcs azure sqs redis beanstalkd pusher ably reverb algolia meilisearch typesense elasticsearch pgsql mysql mariadb sqlite sqlsrv mongodb dynamodb memcached papertrail slack'.split(
    ' ',
  ),
);

/**
 * Drivers that example files choose: `MAIL_MAILER=postmark` is `mail.default.postmark`. Each app has the configuration of all drivers, so
 * only the choice tells.
 */
export const chosenDrivers: FactReader = {
  name: 'drivers that a file of variables chooses',
  endings: [
    'env',
    'example',
    'sample',
    'dist',
    'template',
    'local',
    'development',
    'dev',
    'production',
    'prod',
    'staging',
    'testing',
    'test',
    'docker',
  ],
  takes: (path) => baseOf(path).startsWith('.env'),
  read: ({ path, text }) => {
    const use = /^\.env\.(?:test|testing|ci|local|dusk)/.test(baseOf(path)) ? 'local' : 'runtime';
    const facts = text.split('\n').flatMap((line, i): readonly Fact[] => {
      const [, name = '', value = ''] =
        /^\s*(?:export\s+)?([A-Z_]{1,40})=["']?([a-z\d-]{1,30})["']?\s*(?:#.*)?$/.exec(line.slice(0, 500)) ?? [];
      const key = Object.hasOwn(choices, name) ? choices[name] : undefined;
      return key !== undefined && drivers.has(value) ? [{ kind: 'setting', name: `${key}.${value}`, file: path, line: i + 1, use }] : [];
    });
    return { facts };
  },
};
