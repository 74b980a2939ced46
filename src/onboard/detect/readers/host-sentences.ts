import type { FactReader } from '../facts.ts';
import { evidence, lineOf } from './host-file.ts';

/** Names of hosts as people write them. */
const hosts: readonly (readonly [name: string, provider: string])[] = [
  ['Laravel Cloud', 'laravel_cloud'],
  ['(?:Laravel )?Forge', 'laravel_forge'],
  ['Laravel Vapor|Vapor', 'laravel_vapor'],
  ['Python ?Anywhere', 'pythonanywhere'],
  ['Vercel', 'vercel'],
  ['Netlify', 'netlify'],
  ['Heroku', 'heroku'],
  ['Fly\\.io', 'fly'],
  ['Render(?:\\.com)?', 'render'],
  ['Railway', 'railway'],
  ['Gigalixir', 'gigalixir'],
  ['Clever Cloud', 'clever_cloud'],
  ['Scalingo', 'scalingo'],
  ['Dokku', 'dokku'],
  ['Coolify', 'coolify'],
  ['Kamal', 'kamal'],
  ['Cloudflare(?: (?:Pages|Workers))?', 'cloudflare'],
  ['GitHub Pages', 'github_pages'],
  ['Firebase(?: Hosting)?', 'firebase_hosting'],
  ['(?:Google )?App Engine', 'app_engine'],
  ['(?:Google )?Cloud Run', 'cloud_run'],
  ['(?:AWS|Amazon) Amplify', 'amplify'],
  ['(?:AWS |Amazon )?Elastic Beanstalk', 'aws_elastic_beanstalk'],
  ['(?:AWS |Amazon )?(?:ECS|Fargate)', 'aws_ecs'],
  ['Azure App Service', 'azure_app_service'],
  ['Azure Container Apps', 'azure_container_apps'],
  ['Kubernetes|GKE|EKS|AKS|k8s', 'kubernetes'],
  ['Deno Deploy', 'deno_deploy'],
  ['Streamlit(?: Community)? Cloud', 'streamlit_cloud'],
  ['Hugging Face Spaces', 'huggingface_spaces'],
];
const names = hosts.map(([name]) => name).join('|');

/** `The website is hosted on [Fly.io](…)`, `deploys automatically to Vercel`. */
const sentence = new RegExp(
  `([^.!?\\n]{0,160})\\b(?:hosted|deployed|deploys|runs|running|live)\\s+(?:automatically\\s+|proudly\\s+|currently\\s+)?(?:on|to|at|with|via|by)\\s+(?:the\\s+|a\\s+|our\\s+)?[\\[*_\`]{0,3}(${names})(?![\\w-])`,
  'gi',
);

/** Below a heading about the deployment: `- Kubernetes (GKE) for orchestration`. */
const heading = /^#{1,5} .{0,60}\b(?:deployment|hosting|infrastructure)\b.{0,40}$/gim;
const item = new RegExp(
  `^\\s*[-*] (?:\\*\\*(?:hosting|infrastructure|deployment|host)\\*\\*:? .{0,40}?)?[\\[*]{0,3}(${names})(?![\\w-])`,
  'im',
);

/** Words of a sentence that is for others, or about something else. */
const isOffer =
  /\b(?:can|could|may|might|should|if|when|want|easily|easiest|example|sample|your own|self-?host\w*|you|docs|documentation|storybook|previously|formerly|used to|was|were|no longer|not|previews?|locally)\b/i;

const providerOf = (name: string): string | undefined => hosts.find(([pattern]) => new RegExp(`^(?:${pattern})$`, 'i').test(name))?.[1];

function* saidIn(text: string): Generator<{ readonly provider: string; readonly text: string }> {
  for (const [whole, before = '', name = ''] of text.matchAll(sentence)) {
    const provider = providerOf(name);
    if (provider !== undefined && !isOffer.test(before)) yield { provider, text: whole.split('\n').at(-1) ?? whole };
  }
  for (const match of text.matchAll(heading)) {
    const below = text.slice(match.index + match[0].length, match.index + match[0].length + 600).split(/\n#/, 1)[0] ?? '';
    const [whole = '', name = ''] = item.exec(below) ?? [];
    const provider = providerOf(name);
    if (provider !== undefined && !isOffer.test(match[0])) yield { provider, text: whole.trim() };
  }
}

/** Pages at the root say where the applications of a repository run. All that they say must be one host. */
export const hostSentences: FactReader = {
  name: 'sentences about the host',
  takes: (path) => /^(?:readme|contributing|agents|claude|architecture|deployment)\.(?:md|rst|txt|adoc)$/i.test(path),
  names: (name) => /^(?:readme|contributing|agents|claude|architecture|deployment)\./i.test(name),
  endings: ['md', 'rst', 'txt', 'adoc'],
  read: (file) => {
    const said = [...saidIn(file.text.slice(0, 200_000))];
    const [first] = said;
    if (!first || said.some(({ provider }) => provider !== first.provider)) return {};
    return {
      hosts: [evidence(file, { provider: first.provider, by: 'word', folder: '', isSaid: true, line: lineOf(file.text, first.text) })],
    };
  },
};
