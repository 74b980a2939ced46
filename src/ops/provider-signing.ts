import type { JsonMap } from '../core/json.ts';
import type { ProviderBlock } from '../http/types.ts';
import type { ProviderDefaults } from './op.ts';
import { isScopeText, variableProblem } from './provider-auth.ts';
import type { BlockProblem } from './provider-url.ts';

/** The keys of a block that go with `aws_v4` and with no other credential form. */
export const signingKeys = ['region', 'session_token_env'] as const;

export type Signing = Pick<ProviderBlock, (typeof signingKeys)[number]>;

/** Reads the settings beside `auth` of a block that signs its requests, and finds their mistakes. */
export function readSigning(block: {
  readonly name: string;
  readonly auth: ProviderBlock['auth'];
  readonly values: JsonMap;
  readonly defaults: ProviderDefaults;
}): { readonly signing: Signing; readonly problems: readonly BlockProblem[] } {
  const { name, auth, values, defaults } = block;
  // An adapter may have a setting of its own under such a name.
  const own = signingKeys.filter((key) => !Object.hasOwn(defaults.settings ?? {}, key));
  const given = own.filter((key) => Object.hasOwn(values, key));
  if (auth === null || !('aws_v4' in auth)) {
    return { signing: {}, problems: given.map((key) => ({ at: [key], detail: `${key} belongs only to the credential form aws_v4.` })) };
  }
  const problems = given.flatMap((key) => {
    const wrong = problemOf(key, values[key]);
    return wrong === null ? [] : [{ at: [key], ...wrong }];
  });
  const textOf = (key: (typeof signingKeys)[number]): string | undefined => {
    const value = given.includes(key) ? values[key] : defaults[key];
    return typeof value === 'string' ? value : undefined;
  };
  const region = textOf('region');
  const session = textOf('session_token_env');
  if (region === undefined && !given.includes('region')) {
    problems.push({
      at: [],
      detail: `${name} signs its requests, so its block needs region: the region in its address, such as eu-west-1.`,
    });
  }
  return {
    signing: { ...(region !== undefined && { region }), ...(session !== undefined && { session_token_env: session }) },
    problems,
  };
}

function problemOf(key: (typeof signingKeys)[number], value: unknown): Omit<BlockProblem, 'at'> | null {
  if (typeof value !== 'string') return { detail: `${key} must be text.` };
  if (key === 'session_token_env') return variableProblem(key, value, true);
  return isScopeText(value) ? null : { detail: 'region must be a name such as eu-west-1, with lower-case letters, digits and hyphens.' };
}
