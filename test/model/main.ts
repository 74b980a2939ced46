import { styleText } from 'node:util';
import { optionsOf } from '../../scripts/options.ts';
import type { CounterExample, Findings } from './check.ts';
import { listClaims } from './list/model.ts';
import { listRuleNames, listRuleTexts } from './list/state.ts';
import { foreignClaim } from './scope/apply.ts';
import { claims } from './scope/model.ts';
import { ruleNames, ruleTexts } from './scope/rules.ts';
import { checkList, checkListWithout, checkScope, checkScopeWithout, fullWorlds } from './sizes.ts';

/** Visits every state of the protocol, then takes each rule away and shows what happens. Exit 1 when a claim does not hold. */
function main(): number {
  optionsOf('npm run model', {});
  const started = performance.now();
  let failures = 0;
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  const number = (value: number): string => value.toLocaleString('en-US');

  const whole = (says: string, run: () => Findings): void => {
    const since = performance.now();
    const found = run();
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    print(
      `  ${says}: ${number(found.states)} states, ${number(found.transitions)} transitions, depth ${found.depth}, ${seconds} s${found.isWhole ? '' : ', NOT ALL VISITED'}`,
    );
    if (found.isWhole && found.counterExample === null) return;
    failures += 1;
    if (found.counterExample) printTrace(found.counterExample);
  };
  const without = (rule: string, text: string, run: () => Findings): void => {
    const { counterExample } = run();
    print(`\n${styleText('bold', `Without "${rule}"`)} (${text})`);
    if (counterExample) printTrace(counterExample);
    else {
      failures += 1;
      print('  no counter-example: either the rule is not needed or the model does not see what it is for.');
    }
  };
  const printTrace = ({ claim, trace }: CounterExample): void => {
    trace.forEach((step, i) => {
      print(`  ${String(i + 1).padStart(3)} ${step}`);
    });
    print(`      broken: ${claim}`);
  };

  print('One object of one scope, all rules on:');
  for (const [says, size] of Object.entries(fullWorlds)) whole(says, () => checkScope(size));
  print('One list of two scopes, all rules on:');
  for (const lease of [4, 6] as const) whole(`a lock of ${lease / 2} deadlines`, () => checkList(lease));
  print('\nClaims, true in every state that was visited:');
  for (const claim of [...Object.values(claims), foreignClaim, ...Object.values(listClaims)]) print(`  - ${claim}`);
  print('  - From every state an undisturbed run can finish.');

  for (const rule of ruleNames) without(rule, ruleTexts[rule], () => checkScopeWithout(rule));
  for (const rule of listRuleNames) without(rule, listRuleTexts[rule], () => checkListWithout(rule));
  const rules = ruleNames.length + listRuleNames.length;
  print(`\n${rules} rules, ${failures} failures, ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return failures === 0 ? 0 : 1;
}

process.exitCode = main();
