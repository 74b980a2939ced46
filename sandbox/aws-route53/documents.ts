import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { Refusal, type Reply, xml } from '../kit/index.ts';
import { isMap } from '../kit/json.ts';
import type { Change, RecordSet } from './state.ts';

const namespace = 'https://route53.amazonaws.com/doc/2013-04-01/';
const declaration = '<?xml version="1.0"?>\n';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
export const element = (name: string, inner: string | number | boolean | undefined): string =>
  inner === undefined ? '' : `<${name}>${escaped(String(inner))}</${name}>`;
export const document = (root: string, inner: string): Reply => xml(200, `${declaration}<${root} xmlns="${namespace}">${inner}</${root}>`);

const requestId = '<RequestId>b25f48e8-84fd-11e6-80d9-574e0c4664cb</RequestId>';
export const failure = (status: number, code: string, message: string): Reply =>
  xml(
    status,
    `${declaration}<ErrorResponse xmlns="${namespace}"><Error><Type>Sender</Type>${element('Code', code)}${element('Message', message)}</Error>${requestId}</ErrorResponse>`,
  );
export const refusal = (status: number, code: string, message: string): Refusal => new Refusal(failure(status, code, message));

/** Signs outside of letters, digits, `-`, `_` and the dots between labels are shown by their number in octal. */
const shownName = (name: string): string => name.replace(/[^a-z0-9._-]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`);
export const readName = (name: string): string => {
  const plain = name.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))).toLowerCase();
  return plain.endsWith('.') ? plain : `${plain}.`;
};

export const shownSet = (set: RecordSet): string =>
  `<ResourceRecordSet>${element('Name', shownName(set.Name))}${element('Type', set.Type)}${element('SetIdentifier', set.SetIdentifier)}` +
  `${element('Weight', set.Weight)}${element('TTL', set.TTL)}` +
  (set.ResourceRecords === undefined
    ? ''
    : `<ResourceRecords>${set.ResourceRecords.map((value) => `<ResourceRecord>${element('Value', value)}</ResourceRecord>`).join('')}</ResourceRecords>`) +
  (set.AliasTarget === undefined
    ? ''
    : `<AliasTarget>${element('HostedZoneId', set.AliasTarget.HostedZoneId)}${element('DNSName', set.AliasTarget.DNSName)}${element('EvaluateTargetHealth', set.AliasTarget.EvaluateTargetHealth)}</AliasTarget>`) +
  '</ResourceRecordSet>';

const parser = new XMLParser({
  ignoreDeclaration: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  trimValues: false,
  isArray: (name) => name === 'Change' || name === 'ResourceRecord',
});

const malformed = (): Refusal => refusal(400, 'InvalidInput', 'Invalid XML ; cvc-complex-type: the document does not fit its schema');

/** The changes of a batch. The schema is closed and ordered, as the service's own. */
export function changesIn(text: string): readonly Change[] {
  if (XMLValidator.validate(text) !== true) throw malformed();
  const parsed: unknown = parser.parse(text);
  const root = isMap(parsed) ? parsed.ChangeResourceRecordSetsRequest : undefined;
  if (!isMap(root) || root['@xmlns'] !== namespace || !isMap(root.ChangeBatch)) throw malformed();
  const { Changes } = root.ChangeBatch;
  const changes: readonly unknown[] = isMap(Changes) && Array.isArray(Changes.Change) ? Changes.Change : [];
  if (changes.length === 0 || changes.length > 1000) throw malformed();
  return changes.map((one) => {
    if (!isMap(one) || !isMap(one.ResourceRecordSet)) throw malformed();
    const action = textIn(one, 'Action');
    if (action !== 'CREATE' && action !== 'DELETE' && action !== 'UPSERT') throw malformed();
    return { action, set: setIn(one.ResourceRecordSet) };
  });
}

const order = ['Name', 'Type', 'SetIdentifier', 'Weight', 'TTL', 'ResourceRecords', 'AliasTarget'];

function setIn(given: Readonly<Record<string, unknown>>): RecordSet {
  const places = Object.keys(given).map((name) => order.indexOf(name));
  if (places.includes(-1) || places.some((place, i) => i > 0 && place <= (places[i - 1] ?? 0))) throw malformed();
  const { ResourceRecords: records, AliasTarget: alias, TTL, Weight, SetIdentifier } = given;
  if ((alias === undefined) === (records === undefined) || (alias !== undefined) === (TTL !== undefined)) {
    throw refusal(
      400,
      'InvalidInput',
      'Invalid request: Expected exactly one of [AliasTarget, all of [TTL, and ResourceRecords]], but found none or both',
    );
  }
  if (TTL !== undefined && !/^\d+$/.test(String(TTL))) throw malformed();
  return {
    Name: readName(textIn(given, 'Name')),
    Type: textIn(given, 'Type'),
    ...(SetIdentifier !== undefined && { SetIdentifier: String(SetIdentifier) }),
    ...(Weight !== undefined && { Weight: Number(Weight) }),
    ...(TTL !== undefined && { TTL: Number(TTL) }),
    ...(isMap(records) && { ResourceRecords: valuesIn(records.ResourceRecord) }),
    ...(isMap(alias) && {
      AliasTarget: {
        HostedZoneId: textIn(alias, 'HostedZoneId'),
        DNSName: readName(textIn(alias, 'DNSName')),
        EvaluateTargetHealth: textIn(alias, 'EvaluateTargetHealth') === 'true',
      },
    }),
  };
}

function valuesIn(records: unknown): string[] {
  if (!Array.isArray(records)) throw malformed();
  return records.map((one) => (isMap(one) ? textIn(one, 'Value') : refuseRecord()));
}

function textIn(map: Readonly<Record<string, unknown>>, name: string): string {
  const value = map[name];
  if (typeof value !== 'string' || value === '') throw malformed();
  return value;
}

function refuseRecord(): never {
  throw malformed();
}
