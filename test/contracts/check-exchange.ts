import { existsSync } from 'node:fs';
import type { Exchange } from 'pilotfish-sandbox/kit/types';
import { answer, requestBody } from './check-body.ts';
import { parameterFlaws } from './check-parameters.ts';
import { type Contract, fileOf, openContract } from './contract.ts';
import { type Exemption, exemptionOf, exemptions } from './exemptions.ts';
import type { Flaw } from './flaw.ts';

/** One way in which a request or an answer is not what the provider's description says. */
export interface Problem {
  readonly provider: string;
  /** `POST /repos/{owner}/{repo}/hooks`, or the path as sent where no operation serves it. */
  readonly operation: string;
  /** `request body /config/url`, `query per_page`, `answer 201 /id`. */
  readonly at: string;
  readonly what: string;
}

/** What the description says of one exchange. */
export interface Judgement {
  readonly provider: string;
  readonly operation: string;
  /** Whether there was an answer to hold against the description; the request always is. */
  readonly hasAnswer: boolean;
  readonly problems: readonly Problem[];
  /** What is not as described, and is allowed. */
  readonly exempt: readonly { readonly problem: Problem; readonly exemption: Exemption }[];
  /** What the description leaves open. */
  readonly unconfirmed: readonly string[];
}

export const showProblem = ({ provider, operation, at, what }: Problem): string => `${provider}: ${operation}: ${at}: ${what}`;

/** Holds one exchange against the provider's description in `folder`. Without problems: the vendor would take the request, and gives such an answer. */
export function judgeExchange(exchange: Exchange, folder: string, list: readonly Exemption[] = exemptions): Judgement {
  const { provider, method, path } = exchange;
  if (existsSync(fileOf(provider, folder))) return judge(openContract(provider, folder), exchange, list);
  if (exchange.undescribed !== undefined) {
    const unconfirmed = [exchange.undescribed];
    return { provider, operation: `${method} ${path}`, hasAnswer: !exchange.injected, problems: [], exempt: [], unconfirmed };
  }
  const flaw = { at: 'description', what: `there is no ${provider}.openapi.json` };
  return sorted(provider, `${method} ${path}`, [flaw], [], exchange, list);
}

export function judge(contract: Contract, exchange: Exchange, list: readonly Exemption[] = exemptions): Judgement {
  const found = contract.find(exchange.method, exchange.path);
  const operation = `${exchange.method} ${found?.operation.path ?? exchange.path}`;
  if (!found) {
    const flaw = { at: 'path', what: `the description has no operation for ${exchange.method} ${exchange.path}` };
    return sorted(contract.provider, operation, [flaw], [], exchange, list);
  }
  const request = requestBody(contract, found, exchange);
  const given = exchange.status === 0 ? { flaws: [], unconfirmed: [] } : answer(contract, found, exchange);
  const flaws = [...parameterFlaws(contract, found, exchange), ...request.flaws, ...given.flaws];
  const unconfirmed = [...request.unconfirmed, ...(exchange.injected ? [] : given.unconfirmed)];
  return sorted(contract.provider, operation, flaws, unconfirmed, exchange, list);
}

function sorted(
  provider: string,
  operation: string,
  flaws: readonly Flaw[],
  unconfirmed: readonly string[],
  exchange: Exchange,
  list: readonly Exemption[],
): Judgement {
  const problems: Problem[] = [];
  const exempt: { problem: Problem; exemption: Exemption }[] = [];
  for (const flaw of flaws) {
    const problem = { provider, operation, ...flaw };
    const exemption = exemptionOf(problem, exchange, list);
    if (exemption) exempt.push({ problem, exemption });
    else problems.push(problem);
  }
  const open = exempt.filter(({ exemption }) => exemption.as === 'unconfirmed').map(({ problem }) => `${problem.at}: ${problem.what}`);
  return { provider, operation, hasAnswer: !exchange.injected, problems, exempt, unconfirmed: [...unconfirmed, ...open] };
}
