import type { Op, ParamSpec } from '../ops/op.ts';

/** What a destroy does with the object of an operation, in one sentence. */
export function destroyText({ destroys, destroy = 'delete', kind }: Op): string {
  if (destroys !== undefined) return destroys;
  if (kind === 'action') return 'Destroy sends nothing.';
  if (kind === 'wait') return 'It owns nothing, so destroy removes nothing.';
  if (kind === 'item' && destroy === 'delete') return 'Destroy takes it out and leaves the others.';
  return byPolicy[destroy];
}

const byPolicy: { readonly [policy in NonNullable<Op['destroy']>]: string } = {
  delete: 'Destroy deletes it.',
  keep: 'Destroy leaves it, unless the line says `destroy: delete`.',
  never: 'Destroy leaves it: the provider cannot delete it.',
};

/** The allowed values of a param, or its type and its bounds. */
export function typeText(spec: ParamSpec): string {
  if (spec.enum) return `${spec.type === 'list' ? 'list of ' : ''}${spec.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')}`;
  const base = spec.type === 'list' && spec.items ? `list of ${spec.items}` : spec.type;
  return [
    base,
    ...(spec.format ? [spec.format.replace('_', ' ')] : []),
    ...bounds(spec),
    ...(spec.secret ? ['secret'] : []),
    ...(spec.templates ? ['templates of the provider stay'] : []),
  ].join(', ');
}

/** The bounds of a param. Nobody needs to read that a required text is not empty. */
function bounds({ type, min_length, max_length, minimum, maximum }: ParamSpec): readonly string[] {
  const unit = type === 'list' ? 'entries' : 'characters';
  const least = min_length === 1 ? undefined : min_length;
  return [
    ...(least !== undefined && max_length !== undefined ? [`${least} to ${max_length} ${unit}`] : []),
    ...(least !== undefined && max_length === undefined ? [`at least ${least} ${unit}`] : []),
    ...(least === undefined && max_length !== undefined ? [`at most ${max_length} ${unit}`] : []),
    ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(minimum !== undefined && maximum === undefined ? [`at least ${minimum}`] : []),
    ...(minimum === undefined && maximum !== undefined ? [`at most ${maximum}`] : []),
  ];
}
