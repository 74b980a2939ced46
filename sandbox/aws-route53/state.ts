/** A record set as a zone keeps it. */
export interface RecordSet {
  /** In lower case and with a final dot; a star stands as itself. */
  Name: string;
  Type: string;
  SetIdentifier?: string;
  Weight?: number;
  TTL?: number;
  /** Values as they were sent: quotes and escapes belong to them. */
  ResourceRecords?: string[];
  AliasTarget?: { HostedZoneId: string; DNSName: string; EvaluateTargetHealth: boolean };
}

export interface Zone {
  readonly name: string;
  readonly isPrivate: boolean;
  records: RecordSet[];
}

export interface Route53State {
  /** By their ids; `null` where the caller may see nothing. */
  zones: Record<string, Zone> | null;
  /** Looks that still find a change pending, by its id. */
  changes: Record<string, number>;
  /** 10,000 at the service, for each zone. */
  recordLimit: number;
  /** An earlier change of the zone is worked on: so many changes are refused. */
  busy: number;
}

/** What somebody wants done with a record set. */
export interface Change {
  readonly action: 'CREATE' | 'DELETE' | 'UPSERT';
  readonly set: RecordSet;
}

/** `www.example.com.` is sorted as `com.example.www.`, then by type and set identifier. */
export function compareSets(a: RecordSet, b: RecordSet): number {
  const keys = (set: RecordSet) => [...set.Name.split('.').filter(Boolean).reverse(), '', set.Type, set.SetIdentifier ?? ''];
  const [left, right] = [keys(a), keys(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const [one = '', other = ''] = [left[i], right[i]];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

/** The records after a batch, and why it is refused: a batch is all or nothing. */
export function changed(
  zone: Zone,
  changes: readonly Change[],
  limit: number,
): { readonly records: RecordSet[]; readonly messages: readonly string[] } {
  let records = [...zone.records];
  const messages: string[] = [];
  for (const { action, set } of changes) {
    const there = records.find((one) => compareSets(one, set) === 0);
    const problem = problemOf(zone, records, { action, set }, there);
    if (problem !== null) messages.push(problem);
    else {
      records = records.filter((one) => one !== there);
      if (action !== 'DELETE') records.push(set);
    }
  }
  if (records.length > limit && records.length > zone.records.length) messages.push(`Number of records limit of ${limit} exceeded.`);
  return { records: records.sort(compareSets), messages };
}

function problemOf(zone: Zone, records: readonly RecordSet[], { action, set }: Change, there: RecordSet | undefined): string | null {
  const named = `resource record set [name='${set.Name}', type='${set.Type}'${set.SetIdentifier === undefined ? '' : `, set identifier='${set.SetIdentifier}'`}]`;
  if (action === 'DELETE') {
    if (!there) return `Tried to delete ${named} but it was not found`;
    return isSame(there, set) ? null : `Tried to delete ${named} but the values provided do not match the current values`;
  }
  if (set.Name !== zone.name && !set.Name.endsWith(`.${zone.name}`)) {
    return `RRSet with DNS name ${set.Name} is not permitted in zone ${zone.name}`;
  }
  if (action === 'CREATE' && there) return `Tried to create ${named} but it already exists`;
  const beside = records.filter((one) => one !== there && one.Name === set.Name);
  if (set.Type === 'CNAME' && set.Name === zone.name)
    return `RRSet of type CNAME with DNS name ${set.Name} is not permitted at apex in zone ${zone.name}`;
  if (beside.some(({ Type }) => Type !== set.Type && (Type === 'CNAME' || set.Type === 'CNAME'))) {
    return `RRSet of type ${set.Type} with DNS name ${set.Name} is not permitted because a conflicting RRSet of type CNAME or another one with the same DNS name already exists in zone ${zone.name}`;
  }
  const isMixed = beside.some(
    ({ Type, SetIdentifier }) => Type === set.Type && (SetIdentifier === undefined) !== (set.SetIdentifier === undefined),
  );
  if (isMixed)
    return `RRSet with DNS name ${set.Name}, type ${set.Type} cannot be created as a non-simple set exists with the same name and type.`;
  return flawOfValues(set);
}

function flawOfValues(set: RecordSet): string | null {
  for (const value of set.ResourceRecords ?? []) {
    if (value.length > 4000)
      return `Invalid Resource Record: 'FATAL problem: TooLong (Value is too long) encountered with '${value.slice(0, 20)}''`;
    if (set.Type === 'TXT' && !/^"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*$/.test(value)) {
      return `Invalid Resource Record: 'FATAL problem: InvalidCharacterString (Value should be enclosed in quotation marks) encountered with '${value.slice(0, 20)}''`;
    }
    if (set.Type === 'TXT' && [...value.matchAll(/"((?:[^"\\]|\\[0-7]{3}|\\.)*)"/g)].some(([, piece = '']) => bytesIn(piece) > 255)) {
      return `Invalid Resource Record: 'FATAL problem: CharacterStringTooLong (Value is too long) encountered with '${value.slice(0, 20)}''`;
    }
    if (set.Type === 'A' && !/^\d{1,3}(?:\.\d{1,3}){3}$/.test(value)) {
      return `Invalid Resource Record: 'FATAL problem: ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address) encountered with '${value}''`;
    }
  }
  if (set.Type === 'CNAME' && (set.ResourceRecords?.length ?? 0) > 1)
    return `Invalid Resource Record: 'FATAL problem: CNAMERRSetHasMoreThanOneRR'`;
  return null;
}

const bytesIn = (piece: string): number => piece.replace(/\\(?:[0-7]{3}|.)/g, 'x').length;

/** TTL and every value count, and the order of the values does not. */
function isSame(there: RecordSet, sent: RecordSet): boolean {
  const form = ({ TTL, ResourceRecords, AliasTarget, Weight }: RecordSet) =>
    JSON.stringify([TTL ?? null, ResourceRecords?.toSorted() ?? null, AliasTarget ?? null, Weight ?? null]);
  return form(there) === form(sent);
}
