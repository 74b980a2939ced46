import { z } from 'zod';
import { HttpFailure } from '../../http/failure.ts';
import type { Body } from '../../http/types.ts';
import { ask } from '../../ops/answer.ts';
import type { Io } from '../../ops/bound.ts';
import { says } from '../../remote/says.ts';

/** The parts of Route 53's API (2013-04-01) that a record needs. XML has texts only, and a list of one is its entry. */
const base = '/2013-04-01';
const listOf = <T extends z.ZodType>(entry: T) => z.union([z.array(entry), entry.transform((one) => [one])]);

export const recordSetSchema = z.object({
  Name: z.string(),
  Type: z.string(),
  SetIdentifier: z.string().optional(),
  TTL: z.string().optional(),
  ResourceRecords: z.object({ ResourceRecord: listOf(z.object({ Value: z.string() })) }).optional(),
  AliasTarget: z
    .object({ HostedZoneId: z.string().optional(), DNSName: z.string().optional(), EvaluateTargetHealth: z.string().optional() })
    .optional(),
});
export type RecordSet = z.output<typeof recordSetSchema>;

const changeInfo = z.object({ ChangeInfo: z.object({ Id: z.string().min(1), Status: z.string() }) });
const changedSchema = z.object({ ChangeResourceRecordSetsResponse: changeInfo });
const changeSchema = z.object({ GetChangeResponse: changeInfo });

export const recordsPath = (zone: string): string => `${base}/hostedzone/${zone}/rrset`;
export const zonesPath = `${base}/hostedzonesbyname`;

/** The record sets in an answer. Name and type of the request do not filter: the list begins there, so an absent record answers with its neighbour. */
export const listAt = '/ListResourceRecordSetsResponse/ResourceRecordSets/ResourceRecordSet';

export interface Change {
  readonly Action: 'CREATE' | 'DELETE';
  readonly ResourceRecordSet: Body;
}

const root = 'ChangeResourceRecordSetsRequest';
/** The place of the one record set in a batch of one change. */
export const setAtChange = `/${root}/ChangeBatch/Changes/Change/ResourceRecordSet`;

export const batchOf = <C>(changes: C) => ({
  [root]: { '@xmlns': 'https://route53.amazonaws.com/doc/2013-04-01/', ChangeBatch: { Changes: { Change: changes } } },
});

/** Sends changes as one batch, all or none, and gives the id of the change. `isRepeatable`: the caller recognises a second send by its refusal. */
export async function change(io: Io, zone: string, changes: readonly Change[], isRepeatable: boolean): Promise<string> {
  const { ChangeResourceRecordSetsResponse: answer } = await ask(
    io.http,
    { method: 'POST', path: recordsPath(zone), body: batchOf(changes.map((one) => ({ ...one }))) },
    { purpose: 'write', signal: io.signal, ...(isRepeatable ? { idempotent: true } : { retry: 'none' }) },
    changedSchema,
  );
  return answer.ChangeInfo.Id.split('/').at(-1) ?? '';
}

/** Whether every server of the zone has a change. Route 53 may not know a fresh change yet. */
export async function isInSync(io: Io, id: string): Promise<boolean> {
  const request = { method: 'GET', path: `${base}/change/${encodeURIComponent(id)}` } as const;
  const options = { purpose: 'read', signal: io.signal, share: false, accept: [404] } as const;
  return (await ask(io.http, request, options, z.union([changeSchema, unknownChange]))).GetChangeResponse.ChangeInfo.Status === 'INSYNC';
}

const unknownChange = z
  .object({ ErrorResponse: z.unknown() })
  .transform(() => ({ GetChangeResponse: { ChangeInfo: { Id: '', Status: 'PENDING' } } }));

/** Whether Route 53 refused a batch, which then made nothing. The description has no texts of refusals, so they decide only the words of an error. */
export const isRefusedBatch = (thrown: unknown): thrown is HttpFailure =>
  thrown instanceof HttpFailure && thrown.status === 400 && thrown.code === 'PROVIDER_INVALID';

export const saysOf = (failure: HttpFailure, text: string): boolean => says(failure.body, { '': { contains: text } });
