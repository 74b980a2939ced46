import { readXml } from '../../../src/http/encodings/xml-read.ts';
import {
  type Asked,
  asGraphql,
  asJson,
  asXml,
  fieldOf,
  graphql,
  isMap,
  json,
  type Thing,
  translated,
  type Wire,
  type WireName,
} from './translate.ts';

/** The types that a provider of forms and of XML knows its own members to have. */
const typed: { readonly [member: string]: (text: string) => unknown } = {
  ratio: Number,
  ttl: Number,
  isOn: (text) => text === 'true',
  isOff: (text) => text === 'true',
};
const lists: readonly string[] = ['events', 'tags', 'only'];

function fromForm(text: string): Thing {
  const thing: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [, base = name, member] = /^([^[]+)\[(.*)\]$/.exec(name) ?? [];
    const before = thing[base];
    if (member === undefined) thing[base] = typed[base]?.(value) ?? value;
    else if (member === '') thing[base] = [...(Array.isArray(before) ? (before as unknown[]) : []), value];
    else thing[base] = { ...(isMap(before) && before), [member]: value };
  }
  return thing;
}

/** Members whose text has a type are read as it; a list of one came as its entry. */
function fromXml(text: string): Thing {
  const document = readXml(text);
  const members = isMap(document) && isMap(document.Thing) ? document.Thing : {};
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      if (lists.includes(name)) return [name, Array.isArray(value) ? value : [value]];
      return [name, typeof value === 'string' ? (typed[name]?.(value) ?? value) : value];
    }),
  );
}

const putForm = translated(async (request, ask) => {
  const text = await request.text();
  const { status, body } = await ask(text === '' ? {} : { body: fromForm(text) });
  return asJson(status, body);
});

const putXml = translated(async (request, ask) => {
  const text = await request.text();
  const { ok, status, body } = await ask(text === '' ? {} : { body: fromXml(text) });
  if (body === undefined) return asJson(status, undefined);
  if (!ok) return asXml(status, { Error: body });
  return asXml(status, isMap(body) && Array.isArray(body.things) ? { List: { Thing: body.things } } : { Thing: body });
});

const pageSize = 100;

const putGraphql = translated(async (request, ask) => {
  const { query, variables } = (await request.json()) as { query: string; variables: { id?: string; after?: string; input?: Thing } };
  const { id, after = '1', input } = variables;
  const path = `/things/${encodeURIComponent(id ?? '')}`;
  const asked: { readonly [name: string]: Asked } = {
    things: { method: 'GET', path: '/things', query: `?size=${pageSize}&page=${after}` },
    thing: { method: 'GET', path },
    thingCreate: { ...(id === undefined ? { path: '/things' } : { method: 'PUT', path }), body: input },
    thingUpdate: { method: 'PATCH', path, body: input },
    thingDelete: { method: 'DELETE', path },
  };
  const name = fieldOf(query);
  const answer = await ask(asked[name] ?? {});
  if (answer.status === 404 && name === 'thing') return asJson(200, { data: { thing: null } });
  const { body } = answer;
  // Every page has a cursor, the last one too: an empty page is the end.
  if (name === 'things' && isMap(body)) return asGraphql(name, { ...answer, body: { ...body, next: String(Number(after) + 1) } });
  return asGraphql(name, answer);
});

function inXml(line: Thing): Thing {
  const bodies = Object.fromEntries(
    ['create', 'update'].flatMap((name) => {
      const request = line[name];
      return isMap(request) ? [[name, { ...request, fields_at: '/Thing' }]] : [];
    }),
  );
  return { ...line, ...bodies, ...(isMap(line.find) && { find: { ...line.find, list_path: '/List/Thing' } }), item_path: '/Thing' };
}

function inGraphql(line: Thing): Thing {
  const id = { id: '{id}' };
  const { find } = line;
  const look = isMap(find) && {
    find: {
      ...graphql('things', {}, ['after']),
      list_path: '/things',
      match: find.match,
      ...(isMap(find) && 'absent' in find && { absent: find.absent }),
      next: '/next',
      cursor_param: 'after',
    },
  };
  return {
    ...line,
    ...look,
    ...(isMap(line.read) && { read: graphql('thing', id) }),
    create: { ...graphql('thingCreate', { ...(line.chosen_id !== undefined && id), input: {} }), fields_at: '/input' },
    ...(isMap(line.update) && { update: { ...graphql('thingUpdate', { ...id, input: {} }), fields_at: '/input' } }),
    delete: graphql('thingDelete', id),
  };
}

/** Forms carry texts alone and no empty list, XML texts alone in both directions; GraphQL names what it asks in its query. */
export const shelfWires: { readonly [name in WireName]: Wire } = {
  json,
  form: { api: { encoding: 'form' }, line: (line) => line, put: putForm },
  xml: { api: { encoding: 'xml' }, line: inXml, put: putXml },
  graphql: { api: {}, line: inGraphql, put: putGraphql },
};
