import { baseOf } from '../detect/paths.ts';

/** Folders of programs that a person runs, from the folder of a unit. */
const folders = /^(?:(?:src|lib|app|server)\/)?(?:scripts?|tools?|tooling)\//;
const others = /^(?:(?:src|lib|app|server|db|database|prisma)\/)?(?:bin|seeds?|seeders?)\//;
/** Programs that fill or change a database: `seed.ts`, `run-migrations.py`, `migrate_prod.rb`. */
const programs = /^(?:\w+[-_.])?(?:seed|seeder|migrate|migrations?|backfill)(?:[-_.]\w+)?\.(?!prisma$)[a-z]+$/;

/** Tells whether a person runs the code, and no app. `rest`: the path of the file from the folder of its package. */
export const isRunByHand = (rest: string): boolean => folders.test(rest) || others.test(rest) || programs.test(baseOf(rest));

/** The same of code in an app's own folder. A release may run its migrations, and `bin` holds what starts the app. */
export const isOwnScript = (rest: string): boolean => folders.test(rest) && !programs.test(baseOf(rest));

/** Tells whether a file is read by the program of an ORM that migrates, and not by the client. */
export const isOrmConfiguration = (file: string): boolean =>
  /^(?:(?:drizzle|prisma)(?:[-_.][\w-]+)*\.config|(?:drizzle|prisma)\.config[-_.][\w.-]+|knexfile)\.[cm]?[jt]s$/.test(baseOf(file));
