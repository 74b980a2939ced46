import { Failure } from '../core/errors.ts';
import { addressLine, addressOutputs, hostOf } from '../ops/address.ts';
import type { Params, WaitBound } from '../ops/bound.ts';
import { bindResource } from '../ops/generic/resource.ts';
import type { BindContext } from '../ops/op.ts';

/** The outputs of a line that asks a host: with the id, other lines write to the thing whose id nobody knows before. */
export const toldOutputs = { id: { doc: 'Id of what answers there.' }, ...addressOutputs };

/**
 * A line that asks a host for the address of something that stands before the build. The template finds the thing as that of a resource
 * does, and the output `url` points to its address. The host itself tells the address, so nothing needs to be held against a deployment.
 */
export function bindAddress(params: Params, context: BindContext): WaitBound {
  const { key, find } = bindResource(params, context);
  return addressLine(`${key}#address`, async (io) => {
    const [one, ...more] = await find(io);
    if (!one) throw nothing(`Nothing stands at ${key}, so it has no address.`);
    if (more.length > 0) throw new Failure('PARAM_INVALID', { detail: `Several objects match ${key}, and each has an address.` });
    const { url } = one.outputs;
    const hostname = typeof url === 'string' ? hostOf(url) : null;
    if (hostname === null) throw nothing(`${key} has no address yet.`);
    return { hostname, id: one.id };
  });
}

const nothing = (detail: string): Failure =>
  new Failure('PROVIDER_NOT_FOUND', {
    detail,
    fix: 'Check the ids in the plan. If they are right, give it an address at the provider first.',
  });
