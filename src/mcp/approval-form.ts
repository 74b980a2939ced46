import { inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { shellQuote } from '../core/how-to-set.ts';
import type { PlanDoc } from '../engine/document.ts';
import type { WantedCommands } from '../engine/types.ts';
import { longestText, approverIn as nameIn } from '../plan/given-text.ts';
import { namesText } from '../report/sections.ts';
import { oneLine } from '../report/text.ts';

/** What a person answers. */
const approval = z.object({ name: z.string(), approve: z.boolean() });

/** The form in which a person sees what would be written to production, and gives a name and a yes. */
export function approvalForm(
  plan: PlanDoc,
  o: { readonly isDestroy: boolean; readonly command: string },
): ReturnType<typeof inputRequired.elicit> {
  const what = o.isDestroy ? 'Destroy' : 'Apply';
  const changes = plan.lines.filter(({ verdict }) => !untouched.has(verdict));
  const shown = changes
    .slice(0, mostShown)
    .map((line) => `- ${oneLine(line.verdict)} ${oneLine(line.id)} (${oneLine(line.recipe ?? `${line.adapter}.${line.op}`)})`);
  const more = changes.length > mostShown ? [`- and ${changes.length - mostShown} more`] : [];
  return inputRequired.elicit({
    mode: 'form',
    message: [
      `An agent asks to run \`${oneLine(o.command)}\`, which writes production: environment ${oneLine(plan.environment)}, scope ${oneLine(plan.scope)}.`,
      changes.length === 0 ? 'Nothing would change at the providers.' : 'It would do this, and refuses when that has changed by then:',
      ...shown,
      ...more,
      ...(plan.hosts ?? []).map(
        ({ origin, lines }) => `Sends to ${oneLine(origin)}, which is not the provider's own host: ${namesText(lines.map(oneLine))}`,
      ),
      ...plan.warnings
        .filter((warning) => !warning.includes('--approved-by'))
        .slice(0, 5)
        .map((warning) => `Warning: ${oneLine(warning)}`),
      'Your name is kept in the receipt.',
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

/** The form in which a person sees the commands that a run would start, and where what they print may go. */
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
      'It refuses when the plan or the ledger has changed by then.',
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

/** Who said yes; `null` for anything else than a name and a yes. */
export function approverIn(content: unknown): string | null {
  const given = approval.safeParse(content);
  if (!given.success || !given.data.approve) return null;
  return nameIn(given.data.name);
}
