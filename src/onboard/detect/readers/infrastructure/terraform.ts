import type { FactReader, VariableUse } from '../../facts.ts';
import { linesOf, matchesOf, withoutComments } from '../source.ts';
import { ResourceFacts } from './resource-facts.ts';
import { hostsOfResources } from './resource-hosts.ts';

/** Resources of Terraform and OpenTofu, and modules of its registry: `aws_sqs_queue`, `terraform-aws-modules/rds/aws`. */
export const terraform: FactReader = {
  name: 'Terraform',
  takes: (path) => /\.(?:tf|tofu)(?:\.json)?$|(?:^|\/)terragrunt\.hcl$/.test(path),
  endings: ['tf', 'tofu', 'json', 'hcl'],
  read: (file) => {
    const isJson = file.path.endsWith('.json');
    const text = isJson ? file.text : withoutHashes(withoutComments(file.text, 'slashes'));
    const facts = new ResourceFacts(file);
    const blocks = isJson ? /"((?:[a-z]\w{0,40}_)\w{1,100})"\s*:\s*\{/g : /^[ \t]*resource[ \t]+"([\w-]{1,100})"/gm;
    for (const match of matchesOf(text, blocks)) facts.add(match[1] ?? '', match.index);
    // A provider that it is set up for counts as a resource: `datadog_provider`. So does a module that has the name of a service.
    for (const match of matchesOf(text, /^[ \t]*provider[ \t]+"([\w-]{1,60})"/gm)) facts.add(`${spelled(match[1])}_provider`, match.index);
    for (const match of matchesOf(
      text,
      /^[ \t]*source[ \t]*=[ \t]*"(?:\.{1,2}\/|git::|github\.com)[^"\n?]{0,200}?\/([\w-]{3,40})(?:\?[^"\n]*)?"/gm,
    ))
      facts.add(`${spelled(match[1])}_module`, match.index);
    const sources = /^[ \t]*source[ \t]*=[ \t]*"(?:registry\.\w+\.\w+\/|tfr:\/\/\/)?([\w-]{1,60}\/[\w-]{1,60}\/[\w-]{1,60})(?:\/\/|["?])/gm;
    for (const match of matchesOf(text, sources)) facts.add(match[1] ?? '', match.index);
    return { facts: facts.list, hosts: hostsOfResources(facts.list), variables: environmentIn(file.path, text) };
  },
};

const spelled = (name = ''): string => name.toLowerCase().replaceAll('-', '_');

/** `#` begins a comment at the begin of a line or behind a space. */
const withoutHashes = (text: string): string =>
  text
    .replace(/(^|[ \t])#[^\n]*/g, (whole) => ' '.repeat(whole.length))
    .replace(/\n#[^\n]*/g, (whole) => `\n${' '.repeat(whole.length - 1)}`);

/** Names that a container or a function is given: `name = "DATABASE_URL"`, `DATABASE_URL = …` in a map. */
function environmentIn(file: string, text: string): readonly VariableUse[] {
  const lineOf = linesOf(text);
  const found = new Map<string, VariableUse>();
  // `variable "datadog_api_key"` is filled from a secret of that name.
  const pattern =
    /^[ \t]*variable[ \t]+"([A-Za-z]\w*_(?:api_key|key|token|secret|dsn|API_KEY|KEY|TOKEN|SECRET|DSN))"|\b(?:name|key)["']?[ \t]*[=:][ \t]*"([A-Z][A-Z0-9]*_[A-Z0-9_]{1,80})"|^[ \t]*"?([A-Z][A-Z0-9]*_[A-Z0-9_]{1,80})"?[ \t]*[=:](?!=)/gm;
  for (const match of matchesOf(text, pattern, 2000)) {
    const name = (match[1] ?? match[2] ?? match[3] ?? '').toUpperCase();
    if (found.has(name)) continue;
    const line = lineOf(match.index + match[0].length - 1);
    found.set(name, { name, file, line, where: 'infrastructure', use: 'infrastructure', hosts: [], schemes: [] });
  }
  return [...found.values()];
}
