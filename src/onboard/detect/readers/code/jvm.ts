import type { Spot } from '../routes/routes.ts';
import { type Language, readerOf } from './language.ts';
import type { Code } from './source-code.ts';

const language: Language = {
  name: 'jvm',
  endings: ['java', 'kt', 'kts', 'scala', 'groovy'],
  comments: 'slashes',
  tells: /env|Env|@Value|\$\{[A-Z]|Mapping\(|@Path\(|post\(|@Scheduled|getProperty|import/,
  reads: [
    /\b(?:System\.)?getenv\(?\)?\s*(?:\.get(?:OrDefault)?)?\s*[([]\s*"([A-Z][A-Z0-9_]{1,79})"/g,
    /\b(?:dotenv|env|environment)(?:\.get(?:Property|RequiredProperty)?)?\s*[([]\s*"([A-Z][A-Z0-9_]{1,79})"/g,
    // `@Value("${X:default}")`, also in the settings of an annotation.
    /"[^"\n]{0,80}\\?\$\{([A-Z][A-Z0-9_]{1,79})(?::[^}"\n]{0,200})?\}/g,
    /@ConfigProperty\(\s*name\s*=\s*"([A-Z][A-Z0-9_]{1,79})"/g,
    /\bsys\.env(?:\.get|\.getOrElse)?\(\s*"([A-Z][A-Z0-9_]{1,79})"/g,
  ],
  openings: [
    { call: /(?:^|\.)DriverManager\.getConnection$|(?:^|\.)Database\.connect$|(?:^|\.)Flyway\b/, engine: null, by: 'jdbc' },
    { name: /^jdbcUrl$/, engine: null, by: 'hikari' },
    { before: /\bsetJdbcUrl\(\s*$|\.url\(\s*$/, engine: null, by: 'hikari' },
    { call: /(?:^|\.)MongoClients?\.create$|(?:^|\.)ConnectionString$/, engine: 'mongodb', by: 'mongodb' },
    { call: /(?:^|\.| )(?:Jedis|JedisPool|JedisPooled)$|(?:^|\.)RedisClient\.create$/, engine: 'redis', by: 'jedis' },
  ],
  routes,
  schedules: /@Scheduled\(|\bCronTrigger\b|\bcronSchedule\(/g,
};

/** Reads Java, Kotlin, Scala and Groovy. */
export const jvm = readerOf(language);

/** Spring, JAX-RS, Micronaut and Ktor. */
function routes({ text }: Code): readonly Spot[] {
  const spots: Spot[] = [];
  const base =
    /@(?:RequestMapping|Path|Controller)\(\s*(?:value\s*=\s*|path\s*=\s*)?\[?\{?\s*"([^"\n]{0,200})"[^)]{0,200}\)\s*(?:@\w+(?:\([^)]{0,200}\))?\s*){0,8}(?:public\s+|open\s+|internal\s+)?(?:final\s+)?class\b/.exec(
      text,
    );
  const prefix = base ? `/${(base[1] ?? '').replace(/^\/|\/$/g, '')}` : '';
  for (const match of text.matchAll(
    /@(Get|Post|Put|Patch|Delete|Request)(?:Mapping)?\(\s*(?:(?:value|path|uri)\s*=\s*)?\[?\{?\s*"([^"\n]{0,200})"([^)]{0,200})/g,
  )) {
    if (base && match.index === base.index) continue;
    const [, verb = '', own = '', rest = ''] = match;
    const methods = verb === 'Request' ? (/RequestMethod\.(\w+)/.exec(rest)?.slice(1) ?? []) : [verb.toUpperCase()];
    spots.push({ at: match.index, path: joined(prefix, own), methods });
  }
  for (const match of text.matchAll(/@(Get|Post|Put|Patch|Delete)Mapping(?:\(\s*\)|(?!\s*\())/g)) {
    spots.push({ at: match.index, path: prefix || '/', methods: [(match[1] ?? '').toUpperCase()] });
  }
  // Ktor and Javalin.
  for (const match of text.matchAll(/\b(get|post|put|patch|delete)\(\s*"(\/[^"\n]{0,200})"\s*[,)]/g)) {
    spots.push({ at: match.index, path: joined('', match[2] ?? ''), methods: [(match[1] ?? '').toUpperCase()] });
  }
  return spots;
}

const joined = (prefix: string, path: string): string => `${prefix}/${path.replace(/^\//, '')}`.replace(/\{(\w+)[^}]*\}/g, ':$1');
