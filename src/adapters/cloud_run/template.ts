import { Failure } from '../../core/errors.ts';
import { isMap, type Json } from '../../core/json.ts';
import type { Body } from '../../http/types.ts';
import type { Desired, Params } from '../../ops/bound.ts';
import type { LiveValue } from '../../remote/live-object.ts';
import { asBody } from '../../remote/stored-json.ts';
import type { Value } from '../../remote/value.ts';
import { hasPending } from '../../remote/value.ts';
import type { Configuration, Container } from './api.ts';
import { isSameQuantity } from './quantity.ts';

type Fields = { readonly [field: string]: Value };
type Members = { readonly [name: string]: Body };

/** Params that are members of a container. */
const ofContainer = ['image', 'command', 'args'] as const;
const limits = ['cpu', 'memory'] as const;
const ofTemplate = { service_account: 'serviceAccount', max_instance_request_concurrency: 'maxInstanceRequestConcurrency' } as const;
const ofScaling = { min_instance_count: 'minInstanceCount', max_instance_count: 'maxInstanceCount' } as const;
const plain = [...ofContainer, ...limits, ...Object.keys(ofTemplate), ...Object.keys(ofScaling)];

/** The declared fields of a revision. Each variable is a field of its own, so that a report can name it. */
export function fieldsOf(params: Params): Fields {
  const own = plain.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]] as const]));
  const variables = isValueMap(params.env)
    ? Object.entries(params.env).map(([name, value]): [string, Value] => [`env/${name}`, asText(value)])
    : open('env', params.env);
  const references = isTexts(params.secret_env)
    ? params.secret_env.map((one): [string, Value] => [
        `secret_env/${one.slice(0, one.indexOf('='))}`,
        withVersion(one.slice(one.indexOf('=') + 1)),
      ])
    : open('secret_env', params.secret_env);
  return Object.fromEntries([...own, ...variables, ...references]);
}

/** The fields of a template or a revision. A limit of the same amount comes in the plan's words. */
export function valuesOf(config: Configuration, name: string | null, planned: Fields): { readonly [field: string]: LiveValue } {
  const container = config.containers.find(isOwn(config, name));
  return Object.fromEntries(
    Object.entries(planned).flatMap(([field, wanted]) => {
      const value = fieldOf(config, container, field);
      if (value === undefined) return [];
      // The service keeps `1000m` as `1` (2026-11-25).
      const isSame = isOf(limits, field) && typeof wanted === 'string' && typeof value === 'string' && isSameQuantity(wanted, value);
      return [[field, isSame ? wanted : value] as const];
    }),
  );
}

function fieldOf(config: Configuration, container: Container | undefined, field: string): Json | undefined {
  const [kind, variable] = split(field);
  const found = container?.env?.find((one) => one.name === variable);
  if (kind === 'env') return found?.valueSource ? undefined : found && (found.value ?? '');
  if (kind === 'secret_env') {
    const ref = found?.valueSource?.secretKeyRef;
    return ref && `${ref.secret}:${ref.version ?? 'latest'}`;
  }
  if (isOf(limits, field)) return container?.resources?.limits?.[field];
  if (isOf(ofContainer, field)) return container?.[field] ?? (field === 'image' ? undefined : []);
  // Answers leave numbers of zero out.
  if (field === 'min_instance_count' || field === 'max_instance_count') return config.scaling?.[ofScaling[field]] ?? 0;
  if (field === 'service_account' || field === 'max_instance_request_concurrency') return config[ofTemplate[field]];
  return undefined;
}

/** The template of a service with the line's fields, under the revision's name. Everything that the line does not declare stays. */
export function templateWith(
  template: Configuration,
  desired: Desired,
  o: { readonly revision: string; readonly container: string | null },
): Members {
  const isMine = isOwn(template, o.container);
  if (!template.containers.some(isMine)) {
    throw new Failure('PARAM_INVALID', {
      detail: `The template of the service has no container ${o.container ?? ''}. It has ${template.containers.map(({ name }) => name ?? 'one without a name').join(', ') || 'none'}.`,
      fix: 'Correct `container`.',
    });
  }
  const scaling = pick(ofScaling, desired);
  return {
    ...members(template),
    ...pick(ofTemplate, desired),
    ...(Object.keys(scaling).length > 0 && { scaling: { ...members(template.scaling ?? {}), ...scaling } }),
    revision: o.revision,
    containers: template.containers.map((one) => (isMine(one) ? containerWith(one, desired) : containerOf(one))),
  };
}

/** A container without members that only the provider writes. */
const containerOf = ({ buildInfo: _, ...container }: Container): Members => members(container);

function containerWith(container: Container, desired: Desired): Members {
  const own = ofContainer.flatMap((name) => (desired[name] === undefined ? [] : [[name, asBody(desired[name])] as const]));
  const limited = limits.flatMap((name) => (desired[name] === undefined ? [] : [[name, asBody(desired[name])] as const]));
  const { resources } = container;
  return {
    ...containerOf(container),
    ...Object.fromEntries(own),
    ...(limited.length > 0 && {
      resources: { ...members(resources ?? {}), limits: { ...resources?.limits, ...Object.fromEntries(limited) } },
    }),
    env: variablesWith(container.env ?? [], desired),
  };
}

/** Variables keep their places. New ones come last. */
function variablesWith(before: NonNullable<Container['env']>, desired: Desired): Body[] {
  const wanted = new Map<string, Body>();
  for (const [field, value] of Object.entries(desired)) {
    const [kind, name] = split(field);
    if (name === undefined) continue;
    if (kind === 'env') wanted.set(name, { name, value: asBody(value) });
    if (kind === 'secret_env') wanted.set(name, { name, valueSource: { secretKeyRef: secretOf(String(asBody(value))) } });
  }
  const there = before.map((one) => wanted.get(one.name) ?? members(one));
  const names = new Set(before.map(({ name }) => name));
  return [...there, ...[...wanted].filter(([name]) => !names.has(name)).map(([, variable]) => variable)];
}

const secretOf = (reference: string): Members => {
  const at = reference.lastIndexOf(':');
  return at < 0 ? { secret: reference, version: 'latest' } : { secret: reference.slice(0, at), version: reference.slice(at + 1) };
};

/** The entries of a map or list. A map or list from another line is one field until it is known. */
const open = (name: string, value: Value | undefined): [string, Value][] =>
  value !== undefined && hasPending(value) ? [[name, value]] : [];

/** Variables are text, whatever type YAML gives them. */
const asText = (value: Value): Value => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value);

/** A secret of Secret Manager is always named with its version. */
const withVersion = (reference: string): string => (reference.includes(':') ? reference : `${reference}:latest`);

/** The container of the params: by its name, else the one that takes requests, else the only one. */
function isOwn({ containers }: Configuration, name: string | null): (one: Container) => boolean {
  if (name !== null) return (one) => one.name === name;
  const own = containers.find(({ ports }) => (ports ?? []).length > 0) ?? containers[0];
  return (one) => one === own;
}

function split(field: string): readonly [kind: string, name: string | undefined] {
  const at = field.indexOf('/');
  return at < 0 ? [field, undefined] : [field.slice(0, at), field.slice(at + 1)];
}

function pick(names: { readonly [param: string]: string }, desired: Desired): Members {
  return Object.fromEntries(
    Object.entries(names).flatMap(([param, member]) => (desired[param] === undefined ? [] : [[member, asBody(desired[param])] as const])),
  );
}

const members = (value: object): Members => asBody(value) as Members;
const isOf = <T extends string>(names: readonly T[], field: string): field is T => names.some((name) => name === field);

const isTexts = (value: Value | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isValueMap = (value: Value | undefined): value is { readonly [name: string]: Value } => isMap(value);
