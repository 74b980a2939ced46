import { Failure } from '../../core/errors.ts';
import type { Body } from '../../http/types.ts';
import type { Desired, Params } from '../../ops/bound.ts';
import { isAsPlanned } from '../../remote/compare.ts';
import type { LiveValue } from '../../remote/live-object.ts';
import { asJson } from '../../remote/stored-json.ts';
import type { Value } from '../../remote/value.ts';
import type { RecordSet } from './api.ts';
import { plainName, quoted, unquoted } from './spelling.ts';

/** The identity of a record set. */
export interface Place {
  readonly zone: string;
  /** The name without a final dot. */
  readonly name: string;
  readonly type: string;
}

/** Params that become fields, under the same names. A field that the line leaves out is not compared. */
const fieldNames = ['values', 'ttl', 'alias_target', 'alias_zone_id', 'evaluate_target_health'] as const;
type Field = (typeof fieldNames)[number];

export const fieldsOf = (params: Params): { readonly [field: string]: Value } =>
  Object.fromEntries(fieldNames.flatMap((field) => (params[field] === undefined ? [] : [[field, params[field]]])));

/** The seconds of a new record whose line names none. */
const usualTtl = 300;

/** The record set for a batch: the values of the line, or else the existing ones. Route 53 wants the elements in this order. */
export function setOf({ name, type }: Place, desired: Desired, stands: RecordSet | null): { readonly [element: string]: Body } {
  const said = (field: Field): Desired[string] | undefined => desired[field];
  const head = { Name: `${name}.`, Type: type };
  const isAlias = said('alias_target') !== undefined || (said('values') === undefined && stands?.AliasTarget !== undefined);
  if (isAlias) {
    const alias = stands?.AliasTarget;
    return {
      ...head,
      AliasTarget: {
        HostedZoneId: textOf(said('alias_zone_id'), alias?.HostedZoneId, 'alias_zone_id'),
        DNSName: `${plainName(textOf(said('alias_target'), alias?.DNSName, 'alias_target'))}.`,
        EvaluateTargetHealth: textOf(said('evaluate_target_health'), alias?.EvaluateTargetHealth ?? 'false', 'evaluate_target_health'),
      },
    };
  }
  const values = said('values');
  const records = Array.isArray(values)
    ? values.map((value: Value) => ({ Value: written(type, value) }))
    : stands?.ResourceRecords?.ResourceRecord;
  if (records === undefined) throw nothingToKeep('values');
  return {
    ...head,
    TTL: textOf(said('ttl'), stands?.TTL ?? String(usualTtl), 'ttl'),
    ResourceRecords: { ResourceRecord: records },
  };
}

function textOf(wanted: Desired[string] | undefined, stands: string | undefined, field: Field): string {
  if (typeof wanted === 'string' || typeof wanted === 'number' || typeof wanted === 'boolean') return String(wanted);
  if (stands === undefined) throw nothingToKeep(field);
  return stands;
}

const nothingToKeep = (field: Field): Failure =>
  new Failure('PARAM_INVALID', {
    detail: `The record set does not exist, so there is no \`${field}\` of it to keep.`,
    fix: `Give \`${field}\`, or make the record set first.`,
  });

const written = (type: string, value: Value): string => (isText(type) ? quoted(String(value)) : String(value));
const isText = (type: string): boolean => type === 'TXT' || type === 'SPF';

/** Whether the existing record set equals the wanted one. */
export function isAlready(wanted: { readonly [element: string]: Body }, stands: RecordSet): boolean {
  const { Name: _, ...rest } = wanted;
  return isAsPlanned(rest, { ...stands });
}

/** The live fields, in the plan's spelling where both mean the same. */
export function valuesOf(
  type: string,
  fields: { readonly [field: string]: Value },
  set: RecordSet,
): { readonly [field: string]: LiveValue } {
  const records = set.ResourceRecords?.ResourceRecord.map(({ Value }) => (isText(type) ? unquoted(Value) : Value));
  const alias = set.AliasTarget;
  return {
    ...(records && { values: recordsAs(type, fields.values, records) }),
    ...(set.TTL !== undefined && { ttl: Number(set.TTL) }),
    ...(alias?.DNSName !== undefined && { alias_target: hostAs(fields.alias_target, alias.DNSName) }),
    ...(alias?.HostedZoneId !== undefined && { alias_zone_id: alias.HostedZoneId }),
    ...(alias?.EvaluateTargetHealth !== undefined && { evaluate_target_health: alias.EvaluateTargetHealth === 'true' }),
  };
}

/** The fields after a write, in the plan's spelling. */
export const valuesWritten = (desired: Desired): { readonly [field: string]: LiveValue } =>
  Object.fromEntries(Object.entries(desired).map(([field, value]) => [field, asJson(value)]));

/** Route 53 ignores the order of values, and the case and the final dot of a host name. */
function recordsAs(type: string, planned: Value | undefined, live: readonly string[]): LiveValue {
  if (!Array.isArray(planned)) return [...live];
  const wanted: readonly Value[] = planned;
  const isSame = (one: Value, there: string): boolean => one === there || (hostTypes.has(type) && isSameHost(one, there));
  const left = [...live];
  for (const one of wanted) {
    const at = left.findIndex((there) => isSame(one, there));
    if (at === -1) return [...live];
    left.splice(at, 1);
  }
  return left.length === 0 ? asJson(wanted) : [...live];
}

/** Types whose value ends in a host name. */
const hostTypes: ReadonlySet<string> = new Set(['CNAME', 'MX', 'NS', 'PTR', 'SRV']);

const isSameHost = (planned: Value | undefined, live: string): boolean =>
  typeof planned === 'string' && plainName(planned) === plainName(live);

const hostAs = (planned: Value | undefined, live: string): string => (isSameHost(planned, live) ? String(planned) : plainName(live));
