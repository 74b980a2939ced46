import { inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { door } from '../core/door.ts';
import { shellQuote } from '../core/how-to-set.ts';
import type { PlanDoc } from '../engine/document.ts';
import type { WantedCommands } from '../engine/types.ts';
import { longestText, approverIn as nameIn } from '../plan/given-text.ts';
import { kindOf, subjectText } from '../report/line-words.ts';
import { namesText } from '../report/sections.ts';
import { oneLine } from '../report/text.ts';

/** The answer of a person. */
const approval = z.object({ name: z.string(), approve: z.boolean() });

/** The form that shows a person the writes to production, and asks for a name and a yes. */
export function approvalForm(
  plan: PlanDoc,
  o: { readonly isDestroy: boolean; readonly command: string },
): ReturnType<typeof inputRequired.elicit> {
  const what = o.isDestroy ? 'Destroy' : 'Apply';
  const changes = plan.lines.filter(({ verdict }) => !untouched.has(verdict));
  const shown = changes.slice(0, mostShown).map((line) => {
    const subject = subjectText(line);
    return `- ${oneLine(line.verdict)} ${oneLine(line.id)} (${oneLine(kindOf(line))})${subject && `: ${subject}`}`;
  });
  const more = changes.length > mostShown ? [`- and ${changes.length - mostShown} more`] : [];
  return inputRequired.elicit({
    mode: 'form',
    message: [
      `An agent asks to run \`${oneLine(o.command)}\`, which writes production: environment ${oneLine(plan.environment)}, scope ${oneLine(plan.scope)}.`,
      changes.length === 0
        ? 'Nothing would change at the providers.'
        : 'It would do the following, and refuses if anything has changed by then:',
      ...shown,
      ...more,
      ...(plan.hosts ?? []).map(
        ({ origin, lines }) => `Sends to ${oneLine(origin)}, which is not the provider's own host: ${namesText(lines.map(oneLine))}`,
      ),
      ...plan.warnings
        .filter((warning) => !warning.includes(door.passed('approved-by')))
        .slice(0, 5)
        .map((warning) => `Warning: ${oneLine(warning)}`),
      'The receipt keeps your name.',
    ].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Your name', minLength: 1, maxLength: longestText['approved-by'] },
        approve: { type: 'boolean', title: `${what} this in ${oneLine(plan.environment)}`, default: false },
      },
      required: ['name', 'approve'],
    },
  });
}

/** The form that shows a person the commands that a run would start, and the hosts that may get their output. */
export function commandsForm(
  { commands, hosts }: WantedCommands,
  o: { readonly tool: string; readonly directory: string },
): ReturnType<typeof inputRequired.elicit> {
  return inputRequired.elicit({
    mode: 'form',
    message: [
      `An agent asks for \`${oneLine(o.tool)}\` in ${oneLine(o.directory)}. For tokens and secrets it would start these programs on this machine:`,
      ...commands.map((argv) => `- ${oneLine(argv.map(shellQuote).join(' '))}`),
      `Requests of the run go to ${hosts.length === 0 ? 'no host' : hosts.map(oneLine).join(', ')}.`,
      'It refuses if the plan or the ledger has changed by then.',
    ].join('\n'),
    requestedSchema: {
      type: 'object',
      properties: { approve: { type: 'boolean', title: 'Start these programs for this call', default: false } },
      required: ['approve'],
    },
  });
}

export const saysYes = (content: unknown): boolean => z.object({ approve: z.literal(true) }).safeParse(content).success;

const untouched: ReadonlySet<string> = new Set(['none', 'keep']);
const mostShown = 30;

/** The name of the person who said yes; `null` for any other answer. */
export function approverIn(content: unknown): string | null {
  const given = approval.safeParse(content);
  if (!given.success || !given.data.approve) return null;
  return nameIn(given.data.name);
}
