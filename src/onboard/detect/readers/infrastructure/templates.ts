import type { FactReader, VariableUse } from '../../facts.ts';
import { linesOf, matchesOf, withoutComments } from '../source.ts';
import { ResourceFacts } from './resource-facts.ts';
import { hostsOfResources } from './resource-hosts.ts';

/** Templates of CloudFormation, SAM, the Serverless Framework and Amplify, in YAML and JSON. */
export const cloudFormation: FactReader = {
  name: 'CloudFormation, SAM and Serverless',
  isCode: true,
  takes: (path) =>
    /\.(?:ya?ml|json|template)$/.test(path) &&
    !/(?:^|\/)(?:package(?:-lock)?|composer|tsconfig)[\w.-]*\.json$|(?:^|\/)pnpm-lock\.yaml$/.test(path),
  endings: ['yaml', 'yml', 'json', 'template'],
  read: (file) => {
    const isServerless = /(?:^|\/)serverless[\w.-]*\.ya?ml$/.test(file.path);
    if (!isServerless && !file.text.includes('AWS::')) return {};
    const text = /\.ya?ml$/.test(file.path) ? file.text.replace(/^[ \t]*#[^\n]*/gm, (line) => ' '.repeat(line.length)) : file.text;
    const facts = new ResourceFacts(file);
    for (const match of matchesOf(text, /\bType["']?[ \t]*:[ \t]*["']?(AWS::\w{1,60}::\w{1,80})/g)) facts.add(match[1] ?? '', match.index);
    if (isServerless) {
      for (const match of matchesOf(text, /^[ \t]*-[ \t]*(\w{2,40})[ \t]*:/gm)) facts.add(events[match[1] ?? ''] ?? '', match.index);
    }
    return { facts: facts.list, hosts: hostsOfResources(facts.list), variables: environmentIn(file.path, text) };
  },
};

/** Events of functions stand for the resource that sends them. */
const events: { readonly [event: string]: string } = {
  sqs: 'AWS::SQS::Queue',
  s3: 'AWS::S3::Bucket',
  sns: 'AWS::SNS::Topic',
  stream: 'AWS::DynamoDB::Table',
  eventBridge: 'AWS::Events::Rule',
  cognitoUserPool: 'AWS::Cognito::UserPool',
  msk: 'AWS::MSK::Cluster',
  activemq: 'AWS::AmazonMQ::Broker',
  rabbitmq: 'AWS::AmazonMQ::Broker',
  iot: 'AWS::IoT::TopicRule',
};

/** Names in upper case that have a value here: what a function is given. */
function environmentIn(file: string, text: string): readonly VariableUse[] {
  const lineOf = linesOf(text);
  const found = new Map<string, VariableUse>();
  for (const match of matchesOf(text, /^[ \t]*["']?([A-Z][A-Z0-9]*_[A-Z0-9_]{1,80})["']?[ \t]*:/gm, 2000)) {
    const name = match[1] ?? '';
    const line = lineOf(match.index + match[0].length - 1);
    if (!found.has(name)) found.set(name, { name, file, line, where: 'infrastructure', use: 'infrastructure', hosts: [], schemes: [] });
  }
  return [...found.values()];
}

/** Resources of Bicep and of templates of Azure, without the version of their interface. */
export const azureTemplates: FactReader = {
  name: 'Bicep and templates of Azure',
  takes: (path) => /\.bicep$|(?:^|\/)(?:azuredeploy|mainTemplate|[\w-]*template)[\w.-]*\.json$/.test(path),
  endings: ['bicep', 'json'],
  read: (file) => {
    const text = file.path.endsWith('.bicep') ? withoutComments(file.text, 'slashes') : file.text;
    const facts = new ResourceFacts(file);
    for (const match of matchesOf(text, /\bresource[ \t]+\w{1,100}[ \t]+'([\w.]{1,100}(?:\/\w{1,80}){1,6})@/g))
      facts.add(match[1] ?? '', match.index);
    for (const match of matchesOf(text, /"type"[ \t]*:[ \t]*"(Microsoft\.\w{1,80}(?:\/\w{1,80}){1,6})"/g))
      facts.add(match[1] ?? '', match.index);
    for (const match of matchesOf(text, /'br\/public:avm\/res\/([a-z-]{1,60})\/([a-z-]{1,80}):/g))
      facts.add(verified(match[1] ?? '', match[2] ?? ''), match.index);
    return { facts: facts.list, hosts: hostsOfResources(facts.list) };
  },
};

const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A verified module has the name of its resource in other letters: `service-bus/namespace` is `Microsoft.ServiceBus/namespaces`. */
const verified = (group: string, kind: string): string => `Microsoft.${camel(`-${group}`)}/${camel(kind).replace(/(?<!s)$/, 's')}`;
