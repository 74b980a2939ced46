import { mapValues } from '../core/json.ts';
import type { Bound, Params } from '../ops/bound.ts';
import { bindAction } from '../ops/generic/action.ts';
import { bindListItem } from '../ops/generic/list-item.ts';
import { bindResource } from '../ops/generic/resource.ts';
import type { Adapter, BindContext, Op, OutputSpec } from '../ops/op.ts';
import type { Value } from '../remote/value.ts';
import { bindAddress, toldOutputs } from './address.ts';
import { expandTemplate } from './expand-template.ts';
import { limitProblems } from './limits.ts';
import type { Family, FamilyOp } from './schema.ts';

const families = new WeakMap<object, Family>();

/** The family that an adapter was made from; `null` for an adapter of another kind. A plugin's adapter stands behind its guard. */
export const familyOf = (adapter: Adapter): Family | null => families.get(adapter) ?? families.get(Object.getPrototypeOf(adapter)) ?? null;

/**
 * A recipe family as an adapter. Each op expands its template and binds the result as a line of the http adapter. So a recipe and
 * a hand-written line with equal requests are one resource.
 */
export function familyAdapter(family: Family): Adapter {
  const adapter = adapterOf(family, (op) => recipeOp(family, op));
  families.set(adapter, family);
  return adapter;
}

/**
 * The same for a family in a file of the user's. A destroy may lack the file, so the records hold the read that witnesses "absent". The
 * digest of a plan then covers that read too.
 */
export function familyByHand(family: Family): Adapter {
  const check = family.setup?.check;
  const witness = check && { path: check.path, ...(check.query && { query: check.query }) };
  const needsWitness = ({ kind, template }: FamilyOp): boolean =>
    kind === 'resource' && !Object.hasOwn(template, 'find') && !Object.hasOwn(template, 'witness');
  const ops = (op: FamilyOp): Op => {
    const template = witness && needsWitness(op) ? { ...op.template, witness } : op.template;
    return { ...recipeOp(family, { ...op, template }), isByHand: true };
  };
  const adapter: Adapter = { ...adapterOf(family, ops), isByHand: true };
  families.set(adapter, family);
  return adapter;
}

function adapterOf(family: Family, opOf: (op: FamilyOp) => Op): Adapter {
  return {
    name: family.name,
    ...(family.alias !== undefined && { alias: family.alias }),
    title: family.title,
    docs: family.docs,
    provider: family.provider,
    ...(family.setup && { setup: family.setup }),
    ...(family.detect && { detect: family.detect }),
    ops: mapValues(family.ops, opOf),
  };
}

const kinds = { resource: 'object', list_item: 'item', action: 'action', address: 'wait' } as const;

function recipeOp(family: Family, op: FamilyOp): Op {
  return {
    kind: kinds[op.kind],
    doc: op.doc,
    ...(op.subject !== undefined && { subject: op.subject }),
    ...(op.console && { console: op.console }),
    params: op.params,
    outputs: outputsOf(op),
    template: decisive(op),
    destroy: op.destroy,
    ...(op.destroys !== undefined && { destroys: op.destroys }),
    ...(op.notes && { notes: op.notes }),
    ...(op.destroy === 'never' && { mayDelete: false }),
    ...(op.quota && { quota: op.quota }),
    bind: (params, context) => {
      const filled = withDefaults(op, params);
      // A recipe without a block uses the block of its family, so its actions are never sent bare by accident.
      const bound = bindKind(op, templateParams(op, filled), { ...context, api: context.api ?? family.name });
      const problems = limitProblems(op.limits ?? [], filled);
      return problems.length > 0 ? { ...bound, problems } : bound;
    },
  };
}

/** The parts of a recipe that decide its requests and outputs, without texts for people. The line holds the defaults of params. */
const decisive = ({ kind, template, outputs, quota }: FamilyOp): object => ({
  kind,
  template,
  outputs: mapValues(outputs, ({ doc: _doc, ...rest }) => rest),
  quota: quota ?? null,
});

function bindKind(op: FamilyOp, params: Params, context: BindContext): Bound {
  if (op.kind === 'resource') return bindResource(params, context);
  if (op.kind === 'address') return bindAddress(params, context);
  return op.kind === 'list_item' ? bindListItem(params, context) : bindAction(params, context);
}

function templateParams(op: FamilyOp, params: Params): Params {
  const expanded = expandTemplate(op.template, params);
  const outputs = Object.fromEntries(
    Object.entries(op.outputs).flatMap(([name, { path, sensitive, once }]): [string, Value][] =>
      path === undefined ? [] : [[name, { path, ...(sensitive && { sensitive }), ...(once && { once }) }]],
    ),
  );
  return Object.keys(outputs).length > 0 ? { ...expanded, outputs } : expanded;
}

function withDefaults(op: FamilyOp, params: Params): Params {
  const defaults = Object.entries(op.params).flatMap(([name, param]): [string, Value][] =>
    param.default === undefined ? [] : [[name, param.default]],
  );
  return { ...Object.fromEntries(defaults), ...params };
}

function outputsOf(op: FamilyOp): { readonly [name: string]: OutputSpec } {
  if (op.kind === 'address') return toldOutputs;
  const own = mapValues(
    op.outputs,
    ({ doc, sensitive, once }): OutputSpec => ({ doc, ...(sensitive && { sensitive }), ...(once && { once }) }),
  );
  if (op.kind === 'action' || own.id) return own;
  return { id: { doc: op.kind === 'resource' ? 'The id of the object.' : 'The entry itself.' }, ...own };
}
