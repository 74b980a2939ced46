import { Failure } from '../core/errors.ts';
import { isMap } from '../core/json.ts';
import { partsOf, unresolved } from './reference.ts';
import { serverOf } from './server.ts';
import type { SecretAccess, SecretSource } from './source.ts';

/**
 * `op-connect://<vault>/<item>/[<section>/]<field>`: a field of an item on a 1Password Connect server. A part of 26 lower-case letters
 * and digits is an id. Any other part is a name, which is compared exactly.
 * https://developer.1password.com/docs/connect/api-reference
 */
export const opConnectSource: SecretSource = {
  scheme: 'op-connect',
  addressEnv: ['OP_CONNECT_HOST'],
  check: (reference, env) => {
    const asked = questionOf(reference, env);
    return asked instanceof Failure ? asked : null;
  },
  resolve: async (reference, access) => {
    const asked = questionOf(reference, access.env);
    if (asked instanceof Failure) throw asked;
    const server = connect(reference, asked, access);
    const { vault, item, section, field } = asked;
    const vaultId = isId(vault) ? vault : await server.idOf('vault', vault);
    const itemId = isId(item) ? item : await server.idOf('item', item, vaultId);
    return fieldOf(reference, { section, field }, await server.item(vaultId, itemId));
  },
};

const variables = { address: 'OP_CONNECT_HOST', token: 'OP_CONNECT_TOKEN' };

const isId = (text: string): boolean => /^[\da-z]{26}$/.test(text);

interface Place {
  readonly vault: string;
  readonly item: string;
  readonly section: string | null;
  readonly field: string;
}

type Question = Place & Exclude<ReturnType<typeof serverOf>, Failure>;

function questionOf(reference: string, env: NodeJS.ProcessEnv): Question | Failure {
  const parts = partsOf(reference);
  const segments = parts?.query === null && parts.key === null ? parts.segments : [];
  const [vault, item, ...rest] = segments;
  const field = rest.at(-1);
  if (vault === undefined || item === undefined || field === undefined || rest.length > 2 || segments.includes('')) {
    return new Failure('SECRET_UNRESOLVED', {
      detail: `The reference ${reference} names no field of an item.`,
      fix: 'Write `op-connect://<vault>/<item>/<field>` or `op-connect://<vault>/<item>/<section>/<field>`; write `%2F` for a slash in a name, `%3F` for a `?` and `%23` for a `#`.',
    });
  }
  const server = serverOf(reference, env, variables);
  if (server instanceof Failure) return server;
  return { ...server, vault, item, section: rest.length === 2 ? (rest[0] ?? null) : null, field };
}

/** The three questions that the server answers. */
function connect(reference: string, { base, token }: Question, { get }: SecretAccess) {
  const headers = { authorization: `Bearer ${token.reveal()}` };
  const ask = async (path: string): Promise<unknown> => {
    const url = new URL(`${base}/v1${path}`);
    const { status, body, said } = await get({ reference, url, headers, credential: token, addressEnv: variables.address });
    if (status === 200) return body;
    if (status === 401) throw unresolved(reference, said, 'Check OP_CONNECT_TOKEN: the server does not accept it, or it has expired.');
    if (status === 403) throw unresolved(reference, said, 'Give the token in OP_CONNECT_TOKEN access to this vault.');
    if (status === 404) throw unresolved(reference, `${said} There is no such vault or item, or this token may not see it.`);
    throw unresolved(reference, said);
  };
  const unreadable = (): Failure => unresolved(reference, 'the answer is not one of a 1Password Connect server.', 'Check OP_CONNECT_HOST.');

  return {
    idOf: async (kind: 'vault' | 'item', name: string, vaultId = ''): Promise<string> => {
      const member = kind === 'vault' ? 'name' : 'title';
      // In a filter of SCIM a backslash escapes a quote or backslash inside of the text.
      const filter = `${member} eq "${name.replace(/[\\"]/g, '\\$&')}"`;
      const path = kind === 'vault' ? '/vaults' : `/vaults/${vaultId}/items`;
      const found = await ask(`${path}?filter=${encodeURIComponent(filter)}`);
      if (!Array.isArray(found)) throw unreadable();
      // The names are compared once more: a server may ignore case, or may not know the filter.
      const ids = found.flatMap((one: unknown) => (isMap(one) && one[member] === name ? [String(one.id)] : []));
      const [id] = ids;
      if (id === undefined) {
        throw unresolved(
          reference,
          `there is no ${kind} ${JSON.stringify(name)}, or this token may not see it.`,
          `Correct the name (it is compared exactly), or write the ${kind}'s id.`,
        );
      }
      if (ids.length > 1) {
        throw unresolved(
          reference,
          `${ids.length} ${kind}s have the name ${JSON.stringify(name)}, and pilotfish cannot tell which one you mean.`,
          `Write the ${kind}'s id in place of its name.`,
        );
      }
      if (!isId(id)) throw unreadable();
      return id;
    },
    item: async (vaultId: string, itemId: string): Promise<Readonly<Record<string, unknown>>> => {
      const item = await ask(`/vaults/${vaultId}/items/${itemId}`);
      if (!isMap(item)) throw unreadable();
      return item;
    },
  };
}

interface Field {
  readonly id: string;
  readonly label: string;
  /** `null` for a field that stands in no section. */
  readonly section: string | null;
  readonly value: unknown;
}

function fieldOf(reference: string, place: Pick<Place, 'section' | 'field'>, item: Readonly<Record<string, unknown>>): string {
  const sections = new Map(maps(item.sections).map(({ id, label }) => [String(id), textOr(label, String(id))]));
  const fields = maps(item.fields).map(
    ({ id, label, section, value }): Field => ({
      id: textOr(id, ''),
      label: textOr(label, ''),
      section: isMap(section) ? String(section.id) : null,
      value,
    }),
  );
  const inSection = fields.filter(
    ({ section }) => place.section === null || (section !== null && [section, sections.get(section)].includes(place.section)),
  );
  const byLabel = inSection.filter(({ label }) => label === place.field);
  const found = byLabel.length > 0 ? byLabel : inSection.filter(({ id }) => id === place.field);
  const [field] = found;
  if (field === undefined) {
    const labels = [...new Set(inSection.map(({ label, id }) => JSON.stringify(label === '' ? id : label)))];
    const where = place.section === null ? 'the item' : `the section ${JSON.stringify(place.section)} of the item`;
    throw unresolved(
      reference,
      `${where} has no field ${JSON.stringify(place.field)}. ${labels.length === 0 ? 'It has none.' : `It has ${labels.slice(0, 20).join(', ')}.`}`,
      'Correct the last part of the reference. Labels are compared exactly.',
    );
  }
  if (found.length > 1) {
    const places = found.map(({ section }) => (section === null ? 'no section' : JSON.stringify(sections.get(section) ?? section)));
    throw unresolved(
      reference,
      `${found.length} fields have the label ${JSON.stringify(place.field)}: in ${places.join(', ')}.`,
      'Write the section before the field, or the id of the field in place of its label.',
    );
  }
  if (typeof field.value !== 'string' || field.value === '') throw unresolved(reference, 'the field is empty.', 'Give the field a value.');
  return field.value;
}

const maps = (value: unknown): readonly Readonly<Record<string, unknown>>[] => (Array.isArray(value) ? value.filter(isMap) : []);
const textOr = (value: unknown, other: string): string => (typeof value === 'string' && value !== '' ? value : other);
