import type { Exchange } from 'pilotfish-sandbox/kit/types';
import { describe, expect, it } from 'vitest';
import { judge, showProblem } from './check-exchange.ts';
import { contractOf } from './contract.ts';

/** A description with what real ones have and what nobody notices when it is broken. */
const description = {
  openapi: '3.1.0',
  servers: [{ url: 'https://print.example/v2' }],
  security: [{ token: [] }, { pair: [], name: [] }],
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      pair: { type: 'apiKey', in: 'header', name: 'X-Print-Key' },
      name: { type: 'apiKey', in: 'header', name: 'X-Print-Name' },
    },
    schemas: {
      sheet: {
        type: 'object',
        additionalProperties: false,
        required: ['title'],
        properties: {
          id: { type: 'string', format: 'uuid', readOnly: true },
          pin: { type: 'string', writeOnly: true },
          title: { type: 'string' },
          paper: { type: 'string', enum: ['a4', 'letter'] },
          source: { type: 'string', format: 'uri' },
          made: { type: 'string', format: 'date-time' },
        },
      },
      batch: {
        type: 'object',
        required: ['Sheet'],
        additionalProperties: false,
        xml: { name: 'Batch', namespace: 'http://print.example/ns/' },
        properties: {
          size: { type: 'integer', xml: { attribute: true } },
          Sheet: {
            type: 'array',
            items: {
              type: 'object',
              required: ['Paper'],
              properties: { Paper: { type: 'string', enum: ['a4', 'letter'] }, Copies: { type: 'integer' } },
            },
          },
          Tags: { type: 'array', xml: { wrapped: true }, items: { type: 'string', xml: { name: 'Tag' } } },
        },
      },
    },
  },
  paths: {
    '/sheets/{slug}': {
      put: {
        parameters: [
          { name: 'slug', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z]{2,8}$' } },
          { name: 'Print-Version', in: 'header', required: true, schema: { type: 'string', format: 'date' } },
        ],
        requestBody: { required: true, content: { 'application/vnd.print.2026+json': { schema: { $ref: '#/components/schemas/sheet' } } } },
        responses: { 200: { content: { 'application/vnd.print.2026+json': { schema: { $ref: '#/components/schemas/sheet' } } } } },
      },
    },
    '/batch': {
      put: {
        requestBody: { content: { 'application/xml': { schema: { $ref: '#/components/schemas/batch' } } } },
        responses: { 200: { content: { 'application/xml': { schema: { $ref: '#/components/schemas/batch' } } } } },
      },
    },
    '/graphql/v2': {
      post: {
        requestBody: {
          content: { 'application/json': { schema: { type: 'object', required: ['query'], properties: { query: { type: 'string' } } } } },
        },
        responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } },
      },
    },
    '/upload': {
      post: {
        security: [],
        requestBody: {
          content: {
            'multipart/form-data': {
              schema: { type: 'object', additionalProperties: false, required: ['copies'], properties: { copies: { type: 'integer' } } },
            },
          },
        },
        responses: { 200: { content: { 'text/plain': { schema: { type: 'string' } } } }, 204: {} },
      },
    },
  },
};

const contract = contractOf('print', description);
const versioned = 'application/vnd.print.2026+json';
const id = '0190b0a0-0000-7000-8000-000000000001';
const sheet = { title: 'one', paper: 'a4', source: 'https://a.example/one', made: '2026-03-01T04:00:00Z' };
const put: Exchange = {
  provider: 'print',
  origin: 'https://print.example',
  method: 'PUT',
  path: '/v2/sheets/one',
  query: {},
  headers: { accept: versioned, 'print-version': '2026-03-01', 'content-type': versioned },
  credentials: ['authorization bearer'],
  contentType: versioned,
  body: sheet,
  status: 200,
  answer: { headers: {}, contentType: versioned, body: { ...sheet, id } },
  injected: false,
};
const says = (change: Partial<Exchange>, from = put): readonly string[] =>
  judge(contract, { ...from, ...change }).problems.map((problem) => showProblem(problem).replace(/^print: [A-Z]+ \S+: /, ''));

describe('what nobody notices when it is broken', () => {
  it('an exchange as described has no problems', () => {
    expect(says({})).toEqual([]);
  });

  it.each<[string, Partial<Exchange>, string]>([
    ['a path parameter of another form', { path: '/v2/sheets/One' }, 'path slug: must match pattern "^[a-z]{2,8}$"'],
    ['a required header that is missing', { headers: { accept: versioned } }, 'header Print-Version: is required and was not sent'],
    [
      'a header of another form',
      { headers: { ...put.headers, 'print-version': 'newest' } },
      'header Print-Version: must match format "date"',
    ],
    [
      'a header that is spelt wrong',
      { headers: { ...put.headers, 'print-versoin': '1' } },
      'header print-versoin: the operation has no such header',
    ],
    ['a query parameter that is spelt wrong', { query: { drft: 'true' } }, 'query drft: the operation has no such parameter'],
    ['an enum in another case', { body: { ...sheet, paper: 'A4' } }, 'request body /paper: must be one of "a4", "letter"'],
    ['an address that is none', { body: { ...sheet, source: 'one' } }, 'request body /source: must match format "uri"'],
    ['a member of a closed body', { body: { ...sheet, colour: 'red' } }, 'request body: must not have the member "colour"'],
    ['a member that only the provider writes', { body: { ...sheet, id } }, 'request body /id: is a member that only the other side sends'],
    [
      'a member that the provider never shows',
      { answer: { ...put.answer, body: { ...sheet, id, pin: '1' } } },
      'answer 200 /pin: is a member that only the other side sends',
    ],
    ['an id that is none', { answer: { ...put.answer, body: { ...sheet, id: 'one' } } }, 'answer 200 /id: must match format "uuid"'],
    ['a time that is none', { answer: { ...put.answer, body: { ...sheet, made: 1 } } }, 'answer 200 /made: must be string'],
    [
      'a body of another version',
      { contentType: 'application/json' },
      `request body: has content type application/json, the operation takes ${versioned}`,
    ],
    [
      'an answer of another version',
      { answer: { ...put.answer, contentType: 'application/json' } },
      `answer 200: has content type application/json, the operation answers ${versioned}`,
    ],
    [
      'an accept header that takes no answer there is',
      { headers: { ...put.headers, accept: 'application/json' } },
      `header accept: takes application/json, the operation answers ${versioned}`,
    ],
    [
      'a credential that goes another way',
      { credentials: ['authorization basic'] },
      'credential: goes as authorization bearer, or x-print-key and x-print-name; sent was authorization basic',
    ],
    [
      'half of a credential',
      { credentials: ['x-print-key'] },
      'credential: goes as authorization bearer, or x-print-key and x-print-name; sent was x-print-key',
    ],
  ])('%s', (_, change, problem) => {
    expect(says(change)).toEqual([problem]);
  });

  it('either way of a credential is right, and a refused one may be missing', () => {
    expect(says({ credentials: ['x-print-key', 'x-print-name'] })).toEqual([]);
    expect(says({ credentials: [], status: 401 })).toEqual([]);
  });

  it('an accept header with a wildcard takes what there is', () => {
    expect(says({ headers: { ...put.headers, accept: 'application/*' } })).toEqual([]);
    expect(says({ headers: { ...put.headers, accept: 'text/html, */*;q=0.1' } })).toEqual([]);
  });

  it('a lost answer leaves the request to be judged', () => {
    const lost = { status: 0, injected: true, answer: { headers: {}, contentType: null, body: null } };
    expect(says(lost)).toEqual([]);
    expect(says({ ...lost, body: {} })).toEqual(["request body: must have required property 'title'"]);
  });
});

describe('XML bodies', () => {
  const document = (inside: string) => `<?xml version="1.0"?><Batch xmlns="http://print.example/ns/" size="2">${inside}</Batch>`;
  const batch = (inside: string, change: Partial<Exchange> = {}): Exchange => ({
    ...put,
    path: '/v2/batch',
    headers: {},
    contentType: 'application/xml',
    body: document(inside),
    answer: { headers: {}, contentType: 'application/xml', body: document('<Sheet><Paper>a4</Paper></Sheet>') },
    ...change,
  });

  it('one element is a list of one, texts are read as their types, wrapped lists are unwrapped', () => {
    expect(says({}, batch('<Sheet><Paper>a4</Paper><Copies>3</Copies></Sheet>'))).toEqual([]);
    expect(says({}, batch('<Sheet><Paper>a4</Paper></Sheet><Sheet><Paper>letter</Paper></Sheet><Tags><Tag>x</Tag></Tags>'))).toEqual([]);
  });

  it('a value, a member and a type that are not described are problems', () => {
    expect(says({}, batch('<Sheet><Paper>A4</Paper></Sheet>'))).toEqual(['request body /Sheet/0/Paper: must be one of "a4", "letter"']);
    expect(says({}, batch('<Sheet><Paper>a4</Paper><Copies>two</Copies></Sheet>'))).toEqual([
      'request body /Sheet/0/Copies: must be integer',
    ]);
    expect(says({}, batch('<Sheet><Paper>a4</Paper></Sheet><Extra/>'))).toEqual(['request body: must not have the member "Extra"']);
    expect(says({}, batch(''))).toEqual(["request body: must have required property 'Sheet'"]);
  });

  it('a prefix is not part of a name', () => {
    const body = '<p:Batch xmlns:p="http://print.example/ns/"><p:Sheet><p:Paper>a4</p:Paper></p:Sheet></p:Batch>';
    expect(says({}, batch('', { body }))).toEqual([]);
  });

  it('the root, its namespace and the form are held to', () => {
    const body = (text: string) => says({}, batch('', { body: text }));
    expect(body('<Batches xmlns="http://print.example/ns/"/>')).toEqual(['request body /Batches: the root element is Batch']);
    expect(body('<Batch><Sheet><Paper>a4</Paper></Sheet></Batch>')).toEqual([
      'request body /Batch: the namespace is http://print.example/ns/, not null',
    ]);
    expect(body('<Batch>')[0]).toMatch(/^request body: is not XML: /);
  });

  it('answers too', () => {
    const answer = { headers: {}, contentType: 'application/xml', body: document('<Sheet><Paper>A3</Paper></Sheet>') };
    expect(says({ answer }, batch('<Sheet><Paper>a4</Paper></Sheet>'))).toEqual([
      'answer 200 /Sheet/0/Paper: must be one of "a4", "letter"',
    ]);
  });
});

describe('other bodies', () => {
  const upload: Exchange = {
    ...put,
    method: 'POST',
    path: '/v2/upload',
    headers: {},
    credentials: [],
    contentType: 'multipart/form-data; boundary=x',
    body: [['copies', '2']],
    status: 204,
    answer: { headers: {}, contentType: null, body: null },
  };

  it('a multipart body is read as a form', () => {
    expect(says({}, upload)).toEqual([]);
    expect(says({ body: [['copies', 'two']] }, upload)).toEqual(['request body /copies: must be integer']);
  });

  it('a type that nobody reads here is counted as unconfirmed, not as right', () => {
    const plain = { ...upload, status: 200, answer: { headers: {}, contentType: 'text/plain', body: 'done' } };
    expect(judge(contract, plain)).toMatchObject({ problems: [], unconfirmed: ['answer 200: text/plain is not read'] });
    const unseen = { ...upload, answer: { headers: {}, contentType: 'application/json', body: {} } };
    expect(judge(contract, unseen)).toMatchObject({ problems: [], unconfirmed: ['answer 204: the description shows no body'] });
  });

  it('a GraphQL document is held to its envelope, and counted as unconfirmed', () => {
    const answer = { headers: {}, contentType: 'application/json', body: { data: {} } };
    const asked = {
      ...upload,
      path: '/v2/graphql/v2',
      credentials: ['authorization bearer'],
      contentType: 'application/json',
      status: 200,
      answer,
    };
    expect(judge(contract, { ...asked, body: { query: '{ me { id } }' } })).toMatchObject({
      problems: [],
      unconfirmed: ['request body /query: the GraphQL document is not held to its schema'],
    });
    expect(says({ body: { queries: [] } }, asked)).toEqual(["request body: must have required property 'query'"]);
  });

  it('a refusal that is not listed is unconfirmed', () => {
    const refused = { ...upload, status: 409, answer: { headers: {}, contentType: 'application/json', body: {} } };
    expect(judge(contract, refused)).toMatchObject({ problems: [], unconfirmed: ['answer 409: the operation answers 200, 204'] });
  });
});
