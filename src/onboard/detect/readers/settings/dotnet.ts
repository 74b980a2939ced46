import { isMap } from '../../../../core/json.ts';
import { answersIn } from '../../addresses.ts';
import type { Asked, Fact, FactReader, SourceFile, VariableUse } from '../../facts.ts';
import { jsonOf } from '../packages/json.ts';
import { baseOf, jsonNames, linesOfNames, useOfSettings } from '../source.ts';

const deepest = 12;

/** Settings of ASP.NET. A variable may fill each key: `ConnectionStrings__Default`. */
export const appSettings: FactReader = {
  name: 'appsettings.json',
  takes: (path) => /^(?:appsettings|local\.settings)(?:\.[\w-]+)?\.json$/i.test(baseOf(path)),
  endings: ['json'],
  read: async (file, asked) => {
    const { root } = await jsonOf(file.text, true);
    const facts: Fact[] = [];
    const variables: VariableUse[] = [];
    const lineOf = linesOfNames(file.text, jsonNames);
    const use = useOfSettings(file.path);
    for (const { keys, value } of leavesOf(root)) {
      const line = lineOf(keys.at(-1) ?? '');
      if (!/^(?:Logging|AllowedHosts|Serilog\.MinimumLevel)/.test(keys.join('.'))) {
        facts.push({ kind: 'setting', name: keys.join('.'), file: file.path, line, use });
      }
      if (keys[0] === 'ConnectionStrings' && keys.length === 2) variables.push(connection(file, keys.join('__'), value, line, asked));
    }
    return { facts, variables };
  },
};

function* leavesOf(value: unknown, keys: readonly string[] = []): Generator<{ readonly keys: readonly string[]; readonly value: string }> {
  if (isMap(value) && keys.length < deepest) {
    for (const [key, inner] of Object.entries(value).slice(0, 2000))
      if (/^[\w:.-]{1,100}$/.test(key)) yield* leavesOf(inner, [...keys, key]);
  } else if (keys.length > 0) yield { keys, value: typeof value === 'string' ? value : '' };
}

/** The drivers' own forms of a connection string. */
const forms: readonly (readonly [form: RegExp, engine: string])[] = [
  [/^(?:mongodb(?:\+srv)?):\/\//i, 'mongodb'],
  [/^postgres(?:ql)?:\/\/|(?:^|;)\s*Host\s*=/i, 'postgres'],
  [
    /(?:^|;)\s*(?:Uid|User\s?Id)\s*=[^;]*;.*\bPort\s*=\s*3306|(?:^|;)\s*Port\s*=\s*3306|(?:^|;)\s*(?:SslMode|AllowPublicKeyRetrieval)\s*=/i,
    'mysql',
  ],
  [/(?:^|;)\s*(?:Data Source|Filename)\s*=\s*[^;]{0,200}\.(?:db3?|sqlite3?)\b/i, 'sqlite'],
  [/(?:^|;)\s*(?:Server|Data Source)\s*=|Initial Catalog\s*=|Trusted_Connection\s*=/i, 'sqlserver'],
  [/^[\w.-]+:6379\b|\babortConnect\s*=/i, 'redis'],
];

function connection(file: SourceFile, name: string, value: string, line: number, asked: Asked): VariableUse {
  const text = value.slice(0, 2000);
  const engine = forms.find(([form]) => form.test(text))?.[1] ?? null;
  // `Server=tcp:shop.database.windows.net,1433;…` names its host without a scheme.
  const [, host = ''] =
    /(?:^|;)\s*(?:Server|Host|Data Source|Endpoint|AccountEndpoint)\s*=\s*(?:tcp:|sb:\/\/|https:\/\/)?([\w.-]{1,253})/i.exec(text) ?? [];
  const own = answersIn(text, asked);
  const hosts = [...new Set([...own.hosts, ...answersIn(host, asked, true).hosts])];
  return {
    name,
    file: file.path,
    line,
    where: 'settings',
    use: useOfSettings(file.path),
    hosts,
    schemes: own.schemes,
    opens: { engine, by: 'ConnectionStrings' },
  };
}
