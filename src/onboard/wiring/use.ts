import type { VariableUse } from '../detect/facts.ts';
import { engineOfName, isShipped, keyKindOfName, kindOfName, type NameKind } from './kinds.ts';
import type { NameInUse } from './names.ts';

/** What the code of a deployable does with a name. */
export interface Use {
  /** `null` where neither the code nor the name says it. */
  readonly kind: NameKind | null;
  /** Code opens a database with it. */
  readonly isOpened: boolean;
  readonly engines: readonly string[];
  readonly isPrisma: boolean;
  /** `VariableUse.form` of its address; `null` for a plain one. */
  readonly form: string | null;
  /** A browser or a phone gets the value. */
  readonly isShipped: boolean;
  /** The packages whose clients take it. */
  readonly clients: readonly string[];
}

/** `hasOther`: code opens a database with another name while it runs, so a name of migrations alone may get the direct string. */
export function useOf(one: NameInUse, hasOther: boolean): Use {
  const all = [...one.read, ...one.listed];
  const opened = all.filter(({ opens }) => opens !== undefined);
  const whole = opened.filter(({ opens }) => opens?.role !== 'part');
  const own = kindOfName(one.name);
  return {
    kind: whole.length === 0 || own === 'other' ? (own ?? givenAs(one)) : openedAs(own, whole, hasOther),
    isOpened: whole.length > 0,
    engines: enginesOf(one, opened),
    isPrisma: one.read.some(({ opens }) => opens?.by === 'prisma'),
    form: formIn(one.name, all),
    isShipped: isShipped(one.name),
    clients: [...new Set(all.flatMap(({ givenTo, opens }) => [...(givenTo ? [givenTo] : []), ...(opens ? [opens.by] : [])]))],
  };
}

/** Frameworks give some names to addresses of one form. */
function formIn(name: string, all: readonly VariableUse[]): string | null {
  if (/^ConnectionStrings(?:__|:)/i.test(name)) return 'keys';
  if (/(?:^|_)JDBC(?:_|$)|^(?:SPRING|QUARKUS)_(?:\w+_)?DATASOURCE_/.test(name)) return 'jdbc:';
  return all.find(({ form }) => form !== undefined)?.form ?? null;
}

/** What the calls take that get the value of a name whose words say nothing. */
function givenAs({ name, read }: NameInUse): NameKind | null {
  const [as, ...more] = new Set(read.flatMap((use) => use.givenAs ?? []));
  if (as === undefined || more.length > 0) return null;
  return as === 'address' ? 'address' : keyKindOfName(name);
}

/** The engines that its places name, else that its own words do. */
function enginesOf({ name }: NameInUse, opened: readonly VariableUse[]): readonly string[] {
  const told = [...new Set(opened.flatMap(({ opens }) => (opens?.engine ? [opens.engine] : [])))];
  const own = engineOfName(name);
  return told.length > 0 || own === null ? told : [own];
}

function openedAs(own: NameKind | null, opened: readonly VariableUse[], hasOther: boolean): NameKind {
  const roles = opened.flatMap(({ opens }) => (opens?.role ? [opens.role] : []));
  if (roles.includes('shadow')) return 'other';
  if (own === 'direct' || own === 'pooled') return own;
  const atRuntime = opened.filter(({ opens, where }) => opens?.role === undefined && where !== 'env-file');
  if (roles.includes('direct') && atRuntime.length === 0) return 'direct';
  return hasOther && roles.includes('migrate') && atRuntime.length === 0 ? 'direct' : 'connection';
}

/** Tells whether code opens a database with the name while the app runs. */
export const opensAtRuntime = ({ read }: NameInUse): boolean => read.some(({ opens }) => opens !== undefined && opens.role === undefined);

/** Tells whether the app reads the name while it runs, and not for migrations alone. */
export const readsAtRuntime = ({ read }: NameInUse): boolean => read.some(({ opens }) => opens?.role !== 'migrate');
