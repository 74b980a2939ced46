import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { refusalOf } from './kit/aws-v4-verifier.ts';
import {
  type Call,
  makeKit,
  Refusal,
  type Reply,
  route,
  type Simulation,
  type SimulationOptions,
  simulate,
  type Tokens,
  xml,
} from './kit/index.ts';
import { isMap } from './kit/json.ts';

/** One rule as the bucket keeps it. */
export interface CorsRule {
  ID?: string;
  AllowedHeader?: string[];
  AllowedMethod: string[];
  AllowedOrigin: string[];
  ExposeHeader?: string[];
  MaxAgeSeconds?: number;
}

export interface S3Bucket {
  cors: CorsRule[] | null;
  shownAt: number;
}

export interface S3State {
  /** `null` where nobody made the bucket, or the caller may not know. */
  bucket: S3Bucket | null;
  /** Further ones, by name. */
  readonly more: Record<string, S3Bucket>;
  /** 100 at the service; less makes a configuration full that is not. */
  ruleLimit: number;
}

export interface S3World {
  readonly state: S3State;
  /** From now on the keys are those of a session, and only good together with its token. */
  signIn(session: string): void;
  /** The key ids that the tokens are the secret keys of. */
  readonly keyIds: Readonly<Record<keyof Tokens, string>>;
  /** Live: changing one is a change from outside. */
  rules(): readonly CorsRule[];
  setRules(rules: CorsRule[] | null): void;
  /** Makes a bucket with a rule beside the first, where there is none of the name. */
  addBucket(name: string): void;
}

const bucketName = 'shop-assets';

/** So long reads go on saying that there is no configuration after the first one was written (hashicorp/terraform-provider-aws, 2026-11-25). */
const lagMs = 100_000;

/**
 * CORS of one bucket, addressed by its host: https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketCors.html. Who asks is told
 * by the key id of the signature, which is verified as the service does.
 */
export const s3 = (options: SimulationOptions = {}): Simulation<S3World> =>
  bucketAt({ host: `${bucketName}.s3.eu-central-1.amazonaws.com`, path: '/' }, options);

/** The same bucket at the address of its region, where the path names it. */
export const s3ByPath = (options: SimulationOptions = {}): Simulation<S3World> =>
  bucketAt({ host: 's3.eu-central-1.amazonaws.com', path: '/{bucket}/' }, options);

function bucketAt(
  { host, path }: { readonly host: string; readonly path: '/' | '/{bucket}/' },
  options: SimulationOptions,
): Simulation<S3World> {
  const kit = makeKit('aws-s3', options);
  const keyIds = { full: 'AKIAIOSFODNN7EXAMPLE', readOnly: 'AKIAI44QH8DHBEXAMPLE', blind: 'AKIAJ7QK2WLN4EXAMPLE' };
  const { full, readOnly, blind } = kit.tokens;
  const secrets: Readonly<Record<string, string>> = { [keyIds.full]: full, [keyIds.readOnly]: readOnly, [keyIds.blind]: blind };
  const accountsOf = (more: { readonly session?: string }) =>
    Object.fromEntries(Object.entries(secrets).map(([id, secret]) => [id, { secret, ...more }]));
  let accounts = accountsOf({});
  /** Served at an address that has no region in it. */
  const isElsewhere = ({ headers }: Call<S3State, unknown>): boolean => (headers.get('host') ?? host) !== host;
  /** The service's own check of the signature; what is signed is what was sent. */
  const refusal = (call: Call<S3State, unknown>): string | null =>
    refusalOf(
      {
        method: call.method,
        target: `${call.path}?${call.query.toString()}`,
        headers: { host, ...Object.fromEntries(call.headers) },
        body: Buffer.from(call.text),
      },
      { accounts, region: isElsewhere(call) ? null : 'eu-central-1', service: 's3', now: kit.clock.now() },
    );
  const state: S3State = { bucket: { cors: null, shownAt: 0 }, more: {}, ruleLimit: 100 };
  return simulate<S3State, S3World>(kit, {
    name: 'aws-s3',
    origin: `https://${host}`,
    state,
    blind: () => ({ bucket: null, more: {}, ruleLimit: 100 }),
    world: (live) => ({
      state: live,
      signIn: (session) => {
        accounts = accountsOf({ session });
      },
      keyIds,
      rules: () => live.bucket?.cors ?? [],
      addBucket: (name) => {
        if (name !== bucketName)
          live.more[name] ??= { cors: [{ AllowedMethod: ['GET'], AllowedOrigin: ['https://acme.example'] }], shownAt: 0 };
      },
      setRules: (rules) => {
        // A configuration has at least one rule: without any there is none.
        if (live.bucket) live.bucket.cors = rules === null || rules.length === 0 ? null : rules;
      },
    }),
    tokens: kit.tokens,
    credential: ({ headers }) => headers.get('authorization'),
    tokenOf: (_, call) => (refusal(call) === null ? (secrets[keyIdIn(call)] ?? null) : null),
    refuseCredential: (call, why) =>
      why === 'wrong'
        ? failure(403, refusal(call) ?? 'AccessDenied', 'The request cannot be authenticated.')
        : failure(403, 'AccessDenied', 'Access Denied'),
    routes: [
      route('GET', path, (call) => {
        const { cors, shownAt } = bucketOf(call);
        if (cors === null || call.now < shownAt)
          throw new Refusal(failure(404, 'NoSuchCORSConfiguration', 'The CORS configuration does not exist'));
        return xml(200, documentOf(cors));
      }),
      route('PUT', path, (call) => {
        const bucket = bucketOf(call);
        const isSummed = ['content-md5', 'x-amz-checksum-sha256', 'x-amz-checksum-crc32'].some((name) => call.headers.has(name));
        if (!isSummed) throw invalid('InvalidRequest', 'Missing required header for this request: Content-MD5 OR x-amz-checksum-*');
        const rules = rulesIn(call.text, call.state.ruleLimit);
        if (bucket.cors === null) bucket.shownAt = call.now + lagMs;
        bucket.cors = rules;
        return { status: 200 };
      }),
      route('DELETE', path, (call) => {
        bucketOf(call).cors = null;
        return { status: 204 };
      }),
    ],
  });
}

function bucketOf({ state, query, params }: Call<S3State, unknown>): NonNullable<S3State['bucket']> {
  if (!query.has('cors')) throw invalid('NotImplemented', 'Only the cors subresource is served here.');
  const name = isMap(params) && typeof params.bucket === 'string' ? params.bucket : bucketName;
  const bucket = name === bucketName ? state.bucket : state.more[name];
  if (!bucket) throw new Refusal(failure(404, 'NoSuchBucket', 'The specified bucket does not exist'));
  return bucket;
}

const keyIdIn = ({ headers }: { readonly headers: Headers }): string =>
  /Credential=([^/]+)\//.exec(headers.get('authorization') ?? '')?.[1] ?? '';

const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const failure = (status: number, code: string, message: string): Reply =>
  xml(status, `${declaration}<Error><Code>${code}</Code><Message>${message}</Message><RequestId>4442587FB7D0A2F9</RequestId></Error>`);
const invalid = (code: string, message: string): Refusal => new Refusal(failure(400, code, message));
const malformed = (): Refusal =>
  invalid('MalformedXML', 'The XML you provided was not well-formed or did not validate against our published schema');

const text = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const elements = (name: string, values: readonly (string | number)[] | undefined): string =>
  (values ?? []).map((value) => `<${name}>${text(String(value))}</${name}>`).join('');

function documentOf(rules: readonly CorsRule[]): string {
  const inner = rules.map(
    (rule) =>
      `<CORSRule>${elements('ID', rule.ID === undefined ? [] : [rule.ID])}${elements('AllowedHeader', rule.AllowedHeader)}` +
      `${elements('AllowedMethod', rule.AllowedMethod)}${elements('AllowedOrigin', rule.AllowedOrigin)}` +
      `${elements('ExposeHeader', rule.ExposeHeader)}` +
      `${elements('MaxAgeSeconds', rule.MaxAgeSeconds === undefined ? [] : [rule.MaxAgeSeconds])}</CORSRule>\n`,
  );
  return `${declaration}<CORSConfiguration xmlns="${namespace}">\n${inner.join('')}</CORSConfiguration>`;
}

const lists = ['AllowedHeader', 'AllowedMethod', 'AllowedOrigin', 'ExposeHeader'];
const parser = new XMLParser({
  ignoreDeclaration: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  isArray: (name) => name === 'CORSRule' || lists.includes(name),
});

/** Closed, as the service's own schema: another element, or none where one is needed, is refused. */
function rulesIn(document: string, limit: number): CorsRule[] {
  if (XMLValidator.validate(document) !== true) throw malformed();
  const parsed: unknown = parser.parse(document);
  const root = isMap(parsed) ? parsed.CORSConfiguration : undefined;
  if (!isMap(root) || root['@xmlns'] !== namespace || !Array.isArray(root.CORSRule)) throw malformed();
  if (root.CORSRule.length > limit)
    throw invalid('InvalidRequest', `The number of CORS rules should not exceed allowed limit of ${limit} rules.`);
  return root.CORSRule.map(ruleIn);
}

function ruleIn(given: unknown): CorsRule {
  if (!isMap(given)) throw malformed();
  if (Object.keys(given).some((name) => name !== 'ID' && name !== 'MaxAgeSeconds' && !lists.includes(name))) throw malformed();
  const textsAt = (name: string): string[] => {
    const value = given[name];
    return Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? one : refuseRule())) : [];
  };
  const AllowedMethod = textsAt('AllowedMethod');
  const AllowedOrigin = textsAt('AllowedOrigin');
  if (AllowedMethod.length === 0 || AllowedOrigin.length === 0) throw malformed();
  const unknown = AllowedMethod.find((method) => !['GET', 'PUT', 'HEAD', 'POST', 'DELETE'].includes(method));
  if (unknown !== undefined)
    throw invalid('InvalidRequest', `Found unsupported HTTP method in CORS config. Unsupported method is ${unknown}`);
  const age = given.MaxAgeSeconds;
  if (age !== undefined && !/^\d+$/.test(String(age))) throw malformed();
  return {
    ...(typeof given.ID === 'string' && { ID: given.ID }),
    ...(given.AllowedHeader !== undefined && { AllowedHeader: textsAt('AllowedHeader') }),
    AllowedMethod,
    AllowedOrigin,
    ...(given.ExposeHeader !== undefined && { ExposeHeader: textsAt('ExposeHeader') }),
    ...(age !== undefined && { MaxAgeSeconds: Number(age) }),
  };
}

function refuseRule(): never {
  throw malformed();
}
