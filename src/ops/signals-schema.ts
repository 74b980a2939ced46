import { z } from 'zod';
import { buildPrefixes, type Ecosystem, ecosystems } from './signals.ts';

const listOf = (pattern: RegExp, what: string) => z.array(z.string().regex(pattern, what)).min(1).exactOptional();

/** Names as each registry spells them. A `*` stands at the end. */
const packageNames: { readonly [ecosystem in Ecosystem]: readonly [pattern: RegExp, what: string] } = {
  npm: [
    /^(?:@[a-z0-9~-][a-z0-9._~-]*\/(?:[a-z0-9~-][a-z0-9._~-]*\*?|\*)|[a-z0-9~-][a-z0-9._~-]*\*?)$/,
    'a package of npm, or its beginning and `*`',
  ],
  pypi: [
    /^[a-z0-9]+(?:-[a-z0-9]+)*(?:-?\*|\[[a-z0-9-]+\])?$/,
    'a package of PyPI in its normal form: lower case, with dashes, perhaps with an extra in brackets',
  ],
  rubygems: [/^[A-Za-z0-9][\w.-]*\*?$/, 'a gem'],
  go: [/^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/(?!v\d+$)[\w.~-]+)*(?:\/?\*)?$/, 'the path of a Go module without its major version'],
  cargo: [/^[a-zA-Z][\w-]*\*?$/, 'a crate'],
  composer: [
    /^(?:ext-[a-z0-9_]+|[a-z0-9][a-z0-9_.-]*\/(?:[a-z0-9][a-z0-9_.-]*\*?|\*))$/,
    'a package of Packagist, vendor/name, or an extension of PHP, ext-name',
  ],
  hex: [/^[a-z][a-z0-9_]*\*?$/, 'a package of Hex'],
  maven: [/^[A-Za-z][\w.-]*(?::(?:[A-Za-z0-9][\w.-]*\*?|\*)|\.\*)$/, 'group:artifact'],
  nuget: [/^[A-Za-z0-9][\w.-]*\*?$/, 'a package of NuGet'],
  pub: [/^[a-z][a-z0-9_]*\*?$/, 'a package of pub.dev'],
  swift: [/^[\w.+-]+(?:\/[\w.-]+)?$/, 'owner/name of a repository, or a pod'],
};

/** Beginnings of names that many repositories use for anything. */
const common =
  'API|APP|AUTH|AWS|AZURE|CACHE|CLIENT|CLOUD|CONFIG|DATABASE|DB|EMAIL|ENV|GCP|GITHUB|GOOGLE|HOST|JWT|MAIL|NEXT|NODE|OAUTH|PORT|QUEUE|S3|SECRET|SERVER|SITE|SMTP|STORAGE|TOKEN|URL|USER|WEB|WEBHOOK';

const variable = new RegExp(`^(?!${buildPrefixes.join('|')})(?!(?:${common})_\\*$)[A-Z][A-Z0-9]*(?:_{1,2}[A-Z0-9]+)*(?:_{1,2}\\*)?$`);

const file = z.string().regex(/^[^/]/, 'a path from the root of a repository');

export const heldKey = z.strictObject({ file, at: z.string().startsWith('/') });

/** `Signals` of src/ops/signals.ts. */
const signals = z.strictObject({
  packages: z
    .strictObject(objectOf(ecosystems, (ecosystem) => listOf(...packageNames[ecosystem])))
    .exactOptional()
    .describe('Packages by registry.'),
  variables: listOf(variable, 'a variable without the prefix of a build, or a beginning that only this service uses, and `*`').describe(
    'Environment variables without the prefix that a build adds, such as `NEXT_PUBLIC_`.',
  ),
  hosts: listOf(
    /^\.?[a-z0-9_*-]+(?:\.[a-z0-9*-]+)*\.[a-z0-9-]+(?:\/[\w.*/-]*)?$/,
    'a host in lower case, or its end with a period before it, and perhaps the begin of a path',
  ).describe('Hosts of addresses. `.neon.tech` is the end of one; `*` stands for one part of a name. The begin of a path may follow.'),
  snippets: listOf(/^[^\s"`\\](?:[^\s"`\\]| \.\. ){4,}$/, 'a text of code with single quotes').describe(
    'Texts in code that only this service has. `#` stands for digits, `?` for a capital letter or digit, `*` for any number of them.',
  ),
  schemes: listOf(/^[a-z][a-z0-9+.-]*$/, 'a scheme without ://').describe('Schemes of addresses, without `://`.'),
  files: z.array(file).min(1).exactOptional().describe('Files of the repository. `*` stands for a part of one name.'),
  holds: z.array(heldKey).min(1).exactOptional().describe('Keys in files that other services have as well.'),
  commands: listOf(/^[a-z0-9@][\w.@/-]*$/, 'a program').describe('Programs that scripts and workflows start.'),
  actions: listOf(/^[\w.-]+\/(?:[\w./-]+\*?|\*)$/, 'an action without its version: owner/name').describe('Actions of GitHub workflows.'),
  orbs: listOf(/^[\w.-]+\/[\w.-]+$/, 'an orb without its version').describe('Orbs of CircleCI.'),
  images: listOf(/^[a-z0-9][a-z0-9._/-]*\*?$/, 'an image without its tag').describe('Images of compose files and Dockerfiles.'),
  resources: listOf(/^[A-Za-z@][\w:./@-]*\*?$/, 'a kind of resource').describe('Resources of Terraform, CloudFormation and CDK.'),
  modules: listOf(/^[A-Za-z_@][\w.:\\/@-]*\*?$/, 'a module or a class').describe('Modules and classes that code or settings name.'),
  settings: listOf(/^[A-Za-z][\w.:-]*\*?$/, 'a key with dots').describe("Keys of a framework's settings."),
});

/** The members of `ServiceSignals`, for a schema that has others as well. */
export const serviceSignals = {
  uses: signals.exactOptional().describe('One of these proves that the repository uses the service.'),
  may: signals.exactOptional().describe('One of these is a hint. Two of different kinds are a proof.'),
  nothing: signals.exactOptional().describe('These prove nothing. They are listed where the service is proved otherwise.'),
  unless: signals
    .exactOptional()
    .describe('These show another provider that the same packages or snippets reach. Beside one of them, these prove nothing.'),
};

function objectOf<Key extends string, Value>(keys: readonly Key[], make: (key: Key) => Value): { [key in Key]: Value } {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as { [key in Key]: Value };
}
