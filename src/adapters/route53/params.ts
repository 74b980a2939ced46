import type { Params } from '../../ops/bound.ts';
import type { ParamSpec } from '../../ops/op.ts';

const host = '(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\\.)+[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\\.?';

export const zonePattern = '^Z[A-Z0-9]{5,31}$';
export const domain: Pick<ParamSpec, 'type' | 'max_length' | 'pattern'> = { type: 'string', max_length: 254, pattern: `^${host}$` };

const zoneTodo = 'AWS console, Route 53, Hosted zones, the zone, Hosted zone details, "Hosted zone ID".';

export const recordParams: { readonly [name: string]: ParamSpec } = {
  hosted_zone_id: {
    type: 'string',
    required: true,
    pattern: zonePattern,
    doc: 'Id of the hosted zone. `route53.zone` finds it by the name of the zone.',
    todo: zoneTodo,
    example: 'Z0123456789ABCDEFGHIJ',
  },
  name: {
    ...domain,
    required: true,
    pattern: `^(?:\\*\\.)?${host}$`,
    doc: 'The host name, fully qualified; `*` as its first label stands for every name there. Case and a final dot do not count.',
    example: '${ctx.scope}.example.com',
  },
  type: {
    type: 'string',
    required: true,
    enum: ['A', 'AAAA', 'CAA', 'CNAME', 'DS', 'HTTPS', 'MX', 'NAPTR', 'NS', 'PTR', 'SPF', 'SRV', 'SSHFP', 'SVCB', 'TLSA', 'TXT'],
    doc: 'Type of the record set.',
    example: 'CNAME',
  },
  values: {
    type: 'list',
    items: 'string',
    min_length: 1,
    doc: 'Its values, in any order. Those of TXT are the texts alone: quotes, escapes and the pieces of a long text are written for you.',
    example: ['cname.vercel-dns.com'],
  },
  ttl: {
    type: 'integer',
    minimum: 0,
    maximum: 2_147_483_647,
    doc: 'Seconds that an answer may be kept. When left out, 300 for a new one, and then not compared.',
    example: 60,
  },
  alias_target: {
    ...domain,
    doc: 'In place of `values`: the host name of a resource at AWS, or of another record set of the zone, whose addresses it has.',
  },
  alias_zone_id: {
    type: 'string',
    pattern: zonePattern,
    doc: 'Id of the hosted zone that `alias_target` is in; each service of AWS has its own, such as Z2FDTNDATAQYW2 for CloudFront.',
  },
  evaluate_target_health: {
    type: 'boolean',
    doc: 'Whether an alias answers only while its target is healthy. When left out, `false` for a new one, and then not compared.',
  },
};

const longestText = 4000;

export function recordProblems(type: string, params: Params): readonly string[] {
  const isGiven = (name: string): boolean => params[name] !== undefined;
  const isAlias = isGiven('alias_target');
  const ofAlias = ['alias_zone_id', 'evaluate_target_health'].filter(isGiven);
  const problems: string[] = [];
  if (isAlias === isGiven('values')) problems.push('Give either `values` or `alias_target`.');
  if (isAlias && !isGiven('alias_zone_id')) problems.push('`alias_target` needs `alias_zone_id`, the zone that it is in.');
  if (isAlias && isGiven('ttl')) problems.push('An alias has the `ttl` of its target, and none of its own.');
  if (!isAlias && ofAlias.length > 0) problems.push(`${ofAlias.map((name) => `\`${name}\``).join(' and ')} is for \`alias_target\` only.`);
  const { values } = params;
  if (!Array.isArray(values)) return problems;
  if (type === 'CNAME' && values.length > 1) problems.push('A CNAME has one value.');
  const texts = values.filter((value) => typeof value === 'string');
  if ((type === 'TXT' || type === 'SPF') && texts.some((text) => text.startsWith('"'))) {
    problems.push('A value of TXT is the text alone, without quotes around it.');
  }
  if (texts.some((text) => text.length > longestText)) problems.push(`A value has at most ${longestText} signs.`);
  return problems;
}
