import type { Exchange } from 'pilotfish-sandbox/kit/types';
import type { Problem } from './check-exchange.ts';

/**
 * A deviation that is allowed, and why. Every member that is given must fit. What an exemption covered is counted in the
 * report under its name; one that nothing needed is reported, so that the list cannot outlive its reasons.
 */
export interface Exemption {
  readonly name: string;
  readonly reason: string;
  /** `unconfirmed`: the description leaves it open, so that nobody knows. Otherwise the deviation is meant. */
  readonly as?: 'unconfirmed';
  readonly providers?: readonly string[];
  readonly operation?: string;
  /** Where the flaw is: `query until`, `request body /config`. */
  readonly at?: RegExp;
  readonly what?: RegExp;
  readonly status?: readonly number[];
  /** Statuses from this one on. */
  readonly from?: number;
  /** The answer is a test's own, or none was made. */
  readonly isPlanted?: boolean;
  readonly query?: string;
  /** The file that alone may do this. */
  readonly suite?: string;
  /** Not every run meets it: it is not reported when nothing needed it. */
  readonly isRare?: boolean;
}

export const exemptions: readonly Exemption[] = [
  {
    name: 'requests that the simulation refused as invalid',
    reason: 'a test that sends nonsense on purpose was told so, as the provider would tell it',
    at: /^(path \w|query|header|request body)/,
    status: [400, 413, 415, 422],
    isPlanted: false,
  },
  {
    name: 'credentials that the simulation refused',
    reason: 'a test that sends none, or one in a wrong place, was told so; Cloudflare answers 400',
    at: /^credential$/,
    status: [400, 401, 403],
  },
  {
    name: 'answers that a test planted',
    reason: 'they show what the tool makes of an answer that no provider should give; they say nothing about the simulation',
    at: /^answer/,
    isPlanted: true,
  },
  {
    name: 'refusals that a description does not list',
    reason: 'vendors list few of their refusals and outages; a success that is not listed is never exempt',
    as: 'unconfirmed',
    at: /^answer \d+$/,
    what: /^the operation answers /,
    from: 300,
  },
  {
    name: "providers of our tests' own",
    reason:
      'they stand for no vendor: tests of the kit, of cuts, of plugins and of this check need a provider with habits that no real one has all at once',
    providers: ['notes', 'bell', 'bakery', 'harbor'],
    at: /^description$/,
  },
  {
    name: "GitHub's versions",
    reason:
      'the notes of the description ask every caller for X-GitHub-Api-Version, and for an Accept that is answered as application/json; its parameters list neither',
    providers: ['github', 'github-ci'],
    at: /^header (x-github-api-version|accept)$/,
  },
  {
    name: "Stripe's version and idempotency key",
    reason: 'the notes of the description tell of both; its parameters list no header at all',
    providers: ['stripe'],
    at: /^header (stripe-version|idempotency-key)$/,
  },
  {
    name: 'headers of an AWS signature',
    reason: 'the way of the credential (Signature Version 4) has headers of its own; the description names only Authorization',
    at: /^header x-amz-(date|content-sha256|security-token)$/,
  },
  {
    name: 'a pull request asked of the wrong half of GitHub',
    reason:
      'mutated events make a run ask for a pull request where only the webhooks are simulated: a host that does not know the path; what serves it is `github-ci`',
    providers: ['github'],
    at: /^path$/,
    what: /GET \/repos\/.+\/(pulls|issues)\//,
    suite: 'test/fuzz',
    isRare: true,
  },
  {
    name: "GitHub's reviews of a run, whose a token is, and what happened to a branch",
    reason:
      'the cut description leaves them out; their shapes are those of docs.github.com (rest/actions/workflow-runs, rest/users/users, rest/repos/repos; 2026-11)',
    as: 'unconfirmed',
    providers: ['github-ci'],
    at: /^path$/,
    what: /GET (\/user|\/repos\/.+\/(actions\/runs\/\d+\/approvals|activity))\b/,
  },
  {
    name: 'a repository under its earlier name',
    reason:
      'the host answers with a redirect to the address of the same thing by the number of the repository (docs.github.com, best practices for using the REST API); the description has addresses by name alone',
    as: 'unconfirmed',
    providers: ['github-ci'],
    at: /^path$/,
    what: /GET \/repositories\/\d+\/pulls\/\d+/,
    suite: 'test/lifecycle/',
  },
  {
    name: 'the repository of a fork that is gone',
    reason: 'the description calls it required and an object; the host answers null once the fork was deleted',
    as: 'unconfirmed',
    providers: ['github-ci'],
    at: /^answer 200 .*\/head\/repo$/,
  },
  {
    name: 'addresses that a deployment status was not given',
    reason: 'the description gives them the empty text as default, and the format of an address',
    providers: ['github-ci'],
    at: /^answer 20[01] .*\/(target|log|environment)_url$/,
    what: /format "uri"/,
  },
  {
    name: 'the page that a host puts before an app',
    reason: 'the description is of the app: the host that protects a preview answers first, in HTML, as its notes tell',
    providers: ['inngest'],
    at: /^answer 401$/,
    what: /^has content type text\/html/,
    status: [401],
  },
  {
    name: "Fly's create that waits",
    reason: "the notes of the description tell that the vendor's own client creates with `?wait=true`; its parameters do not list it",
    providers: ['fly'],
    operation: 'POST /apps',
    at: /^query wait$/,
  },
  {
    name: "Vercel's next page by timestamp",
    reason: 'the notes of the description tell that `pagination.next` is sent as `until`; its list of parameters does not',
    providers: ['vercel'],
    operation: 'GET /v10/projects/{idOrName}/env',
    at: /^query until$/,
  },
  {
    name: 'what Svix writes anew',
    reason: "the vendor's server parses a URL and writes it anew, and keeps lists as sets; its description asks for the outcome",
    providers: ['svix'],
    at: /^request body \/(?:url|eventTypes|channels)$/,
    what: /format "uri"|duplicate items/,
    suite: 'test/recipes/svix',
  },
  {
    name: 'parameters of Unleash that are no text',
    reason: 'the server makes a text of each (its ensureStringValue); the description asks for the outcome, and a plan may say a number',
    providers: ['unleash'],
    at: /^request body \/parameters\//,
    what: /must be string/,
  },
  {
    name: 'a config var that is shown as null',
    reason: "the vendor's own CLI had to learn to read one (heroku/legacy-cli, pull request 401); the description knows texts alone",
    as: 'unconfirmed',
    providers: ['heroku'],
    at: /^answer 200 \/\w+$/,
    what: /must be string/,
    suite: 'test/recipes/heroku',
  },
  {
    name: 'the stage of an Amplify branch that was given none',
    reason:
      'clients are answered NONE (hashicorp/terraform-provider-aws, 2026-11-25); the list of the description has stages alone that can be sent',
    as: 'unconfirmed',
    providers: ['aws-amplify'],
    at: /^answer 200 .*\/stage$/,
  },
  {
    name: "Twilio's pages as paths",
    reason: 'the notes of the description tell that a page is named by a path below the host; its schema calls that a whole address',
    providers: ['twilio'],
    at: /^answer 200 \/(?:\w+_page_)?uri$/,
    what: /format "uri"/,
  },
  {
    name: 'members of a line that a test changed one by one',
    reason: 'each member is made another one, whatever it means to its provider, to see that no such change passes under a digest',
    providers: ['cloudflare'],
    suite: 'test/attacks/changed-',
  },
  {
    name: 'the head of a branch at GitHub',
    reason: "the vendor's documents have GET /repos/{owner}/{repo}/git/ref/{ref}; the description here leaves git references out",
    as: 'unconfirmed',
    providers: ['github-ci'],
    at: /^path$/,
    what: /git\/ref\/heads\//,
    suite: 'test/attacks/plan-from-',
  },
  {
    name: 'the files of a pull request at GitHub',
    reason: "the vendor's documents have GET /repos/{owner}/{repo}/pulls/{pull_number}/files; the description here leaves it out",
    as: 'unconfirmed',
    providers: ['github-ci'],
    at: /^path$/,
    what: /pulls\/\d+\/files/,
    suite: 'test/action/who',
  },
];

/** The exemption that covers a problem of an exchange, if there is one. */
export function exemptionOf(problem: Problem, exchange: Exchange & { readonly place?: string }, list = exemptions): Exemption | null {
  return list.find((exemption) => covers(exemption, problem, exchange)) ?? null;
}

function covers(exemption: Exemption, problem: Problem, exchange: Exchange & { readonly place?: string }): boolean {
  const { providers, operation, at, what, status, from, isPlanted, query, suite } = exemption;
  return (
    (providers?.includes(problem.provider) ?? true) &&
    (operation === undefined || operation === problem.operation) &&
    (at?.test(problem.at) ?? true) &&
    (what?.test(problem.what) ?? true) &&
    (status?.includes(exchange.status) ?? true) &&
    (from === undefined || exchange.status >= from) &&
    (isPlanted === undefined || isPlanted === exchange.injected) &&
    (query === undefined || query in exchange.query) &&
    (suite === undefined || (exchange.place ?? suite).startsWith(suite))
  );
}
