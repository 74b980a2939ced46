/** Files that each app of Laravel has, with the names of all the services that the framework knows. */
const files =
  /(?:^|\/)config\/(?:ai|app|auth|broadcasting|cache|cors|database|filesystems|hashing|logging|mail|queue|sanctum|services|session|view|octane|scout)\.php$/;

/** The names that these files have in a new app, of all versions since 5. */
const names =
  /^(?:APP|AUTH|AWS|BCRYPT|BEANSTALKD|BROADCAST|CACHE|DB|DYNAMODB|FILESYSTEM|HASH|LOG|MAIL|MAILGUN|MANDRILL|MEMCACHED|MYSQL|OCTANE|PAPERTRAIL|POSTMARK|PUSHER|ABLY|REVERB|QUEUE|REDIS|RESEND|SANCTUM|SES|SESSION|SLACK_BOT|SPARKPOST|SQS|VIEW)_|^(?:STRIPE_(?:KEY|SECRET|WEBHOOK_\w+)|DATABASE_URL|ASSET_URL|VAPOR_\w+)$/;

/** These files come with a package that the app asked for, and name each provider of it. */
const ofPackages = /\/(?:ai|scout)\.php$/;

/** Tells whether each app has this file. Names beside those of a new app are the app's own. */
export const isSkeletonFile = (path: string): boolean => files.test(path) && !ofPackages.test(`/${path}`);

/** Tells whether a new app of Laravel has the name in this file. Any other name there is the app's own. */
export const isOfSkeleton = (path: string, name: string): boolean => files.test(path) && (names.test(name) || ofPackages.test(`/${path}`));
