import { readXml } from '../../../src/http/encodings/xml-read.ts';
import { asGraphql, asXml, fieldOf, graphql, isMap, json, type Thing, translated, type Wire, type WireName } from './translate.ts';

/** What such a provider knows its own members to be. */
const typed: { readonly [member: string]: (text: string) => unknown } = {
  limit: Number,
  isOn: (text) => text === 'true',
};

const listOf = (value: unknown): readonly unknown[] => {
  if (value === undefined || value === '') return [];
  return Array.isArray(value) ? value : [value];
};
const typedIn = (value: unknown): unknown =>
  isMap(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, one]) => [
          name,
          name === 'tags' ? listOf(one) : typeof one === 'string' ? (typed[name]?.(one) ?? one) : one,
        ]),
      )
    : value;
const mapOf = (value: unknown): Thing =>
  isMap(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typedIn(one)])) : {};

/** The drawer as it was sent, whole. */
function fromXml(text: string): Thing {
  const document = readXml(text);
  const { origins, rules, variables, text: joined } = isMap(document) && isMap(document.Drawer) ? document.Drawer : {};
  return { origins: listOf(origins), rules: listOf(rules).map(typedIn), variables: mapOf(variables), text: joined ?? '' };
}

const putXml = translated(async (request, ask) => {
  const text = await request.text();
  const { ok, status, body } = await ask(text === '' ? {} : { body: fromXml(text) });
  return asXml(status, ok ? { Drawer: body } : { Error: body });
});

const putGraphql = translated(async (request, ask) => {
  const { query, variables } = (await request.json()) as { query: string; variables: { input?: Thing } };
  const name = fieldOf(query);
  return asGraphql(
    name,
    await ask({ path: '/drawer', ...(name === 'drawer' ? { method: 'GET' } : { method: 'PUT', body: variables.input }) }),
  );
});

function inXml(line: Thing): Thing {
  // An XML document is written whole, because it has one root.
  return { ...line, parent: { path: '/drawer', method: 'PUT', send: 'parent' }, list_path: `/Drawer${String(line.list_path)}` };
}

function inGraphql(line: Thing): Thing {
  const at = String(line.list_path);
  return { ...line, parent: { read: graphql('drawer', {}), write: graphql('drawerPut', { input: {} }), write_list_path: `/input${at}` } };
}

/** A form has no list of maps, so nobody keeps a shared collection behind one. */
export const drawerWires: { readonly [name in Exclude<WireName, 'form'>]: Wire } = {
  json,
  xml: { api: { encoding: 'xml' }, line: inXml, put: putXml },
  graphql: { api: {}, line: inGraphql, put: putGraphql },
};
