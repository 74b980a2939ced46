import { stripVTControlCharacters } from 'node:util';
import { isMap, isScalar, isSeq, parse, parseDocument, type YAMLMap } from 'yaml';
import { findTodos } from '../../../src/onboard/standing.ts';
import { openCompany } from '../company.ts';
import { fillIn, type Knowledge, providersOf, withComments } from '../fill-in.ts';
import { expectGood } from '../good.ts';

const display = 'release.plan.yaml';

/**
 * Says why a drafted plan does not run: its placeholders are filled in, and then it must be planned, applied, found as it is, and taken
 * away, first as it stands and then with each comment made a line. Empty where both run.
 */
export async function faultsOfPlan(text: string): Promise<readonly string[]> {
  const whole = withComments(text);
  const forms =
    whole === text
      ? [['as it stands', text] as const]
      : ([
          ['as it stands', text],
          ['with its comments as lines', whole],
        ] as const);
  const faults: string[] = [];
  for (const [form, plan] of forms) {
    const fault = await faultOf(plan);
    if (fault !== null) faults.push(`${form}: ${fault}`);
  }
  return faults;
}

async function faultOf(plan: string): Promise<string | null> {
  const closes: (() => Promise<void>)[] = [];
  try {
    if (providersOf(plan).length === 0) return null;
    const company = openCompany(plan, (close) => void closes.push(close));
    const filled = fillIn(plan, findTodos(plan, display), company.knowledge);
    await expectGood(company, withOwnIds(filled, company.knowledge));
    return null;
  } catch (thrown) {
    return wordsOf(thrown).slice(0, 1_500);
  } finally {
    for (const close of closes.reverse()) await close();
  }
}

/** What was thrown. An assertion that compared lists shows what the list holds. */
function wordsOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const actual: unknown = 'actual' in thrown ? thrown.actual : null;
  return Array.isArray(actual) ? JSON.stringify(actual) : stripVTControlCharacters(thrown.message);
}

/** The plan with the ids of the accounts in place of those that the repository's files hold: nobody simulates those. */
function withOwnIds(text: string, knowledge: Knowledge): string {
  const document = parseDocument(text);
  const replace = (provider: string, map: YAMLMap): void => {
    for (const { key, value } of map.items) {
      const param = isScalar(key) ? String(key.value) : '';
      // As somebody types it into the plan: digits that are a text have their quotes, a list its brackets.
      const known = knowledge.isOwn(provider, param) ? undefined : knowledge.valueOf(provider, param);
      if (known === undefined) continue;
      // A scalar stays where it is: it may have an anchor to which other lines refer.
      if (isScalar(value) && typeof value.value === 'string' && !value.value.includes('${')) value.value = parse(known);
      if (isSeq(value)) map.set(key, document.createNode(parse(known)));
    }
  };
  const lines = document.get('changes');
  for (const line of isSeq(lines) ? lines.items : []) {
    if (!isMap(line)) continue;
    const [recipe, adapter] = [line.get('recipe'), line.get('adapter')];
    replace(typeof recipe === 'string' ? (recipe.split('.')[0] ?? '') : String(adapter), line);
  }
  for (const path of [['providers', 'http'], ['providers']]) {
    const blocks = document.getIn(path);
    for (const { key, value } of isMap(blocks) ? blocks.items : []) if (isScalar(key) && isMap(value)) replace(String(key.value), value);
  }
  return document.toString({ lineWidth: 0 });
}
