import type { Step } from './history.ts';
import { deployedEvent, type HostEvent, type PullEventAction, pullEvents, pushEvent } from './host-event.ts';
import { keepLabel } from './plan.ts';
import type { Pull, Repository } from './repository.ts';
import { minutes, type World } from './world.ts';

/** Lets one step happen at the code host, and sends its events. */
export function live(world: World, step: Step): void {
  const repository = world.repositories[step.repository];
  const pull = repository.pulls.get(step.pull);
  const now = world.time.now;
  const { act } = step;
  world.note(`${repository.shop.slug} ${step.pull}: ${told(step)}`);
  switch (act.kind) {
    case 'open': {
      if (pull) return;
      const opened = open(repository, step, now);
      chooseAgain(world, opened, step);
      send(world, step, repository, pullEvents(repository, opened, 'opened'));
      return;
    }
    case 'no-schedule':
      world.noScheduleUntil.set(repository, now + act.hours * 60 * minutes);
      return;
    case 'sweep-dies':
      world.sweepFate.set(repository, act.fate);
      return;
    case 'limit':
      repository.limitedUntil = now + act.minutes * minutes;
      return;
    default:
      if (pull) onPull(world, step, repository, pull);
  }
}

function open(repository: Repository, step: Step, now: number): Pull {
  const { act } = step;
  if (act.kind !== 'open') throw new Error('only an open opens');
  const head = repository.commit(act.lines, [repository.main]);
  const pull: Pull = {
    number: step.pull,
    author: act.from === 'bot' ? 'renovate[bot]' : 'ann',
    headRepository: act.from === 'fork' ? 'stranger/fork' : repository.shop.slug,
    branch: `feature-${step.pull}`,
    head,
    merge: repository.commit(act.lines, [repository.main, head]),
    base: repository.main,
    state: 'open',
    isMerged: false,
    isGone: false,
    isDraft: act.draft,
    isConflicted: false,
    labels: act.label ? ['preview'] : [],
    updatedAt: now,
    openedAt: now,
    closedAt: null,
    closeCame: false,
    unwantedAt: null,
    unwantedCame: true,
    keepSince: now,
  };
  repository.pulls.set(step.pull, pull);
  return pull;
}

/** What a step does with a pull request, and the action of its event; `null` where it makes no sense now. */
function onPull(world: World, step: Step, repository: Repository, pull: Pull): void {
  const now = world.time.now;
  const isOpen = pull.state === 'open';
  const { act } = step;
  const tell = (action: PullEventAction, before?: string): void => {
    pull.updatedAt = now;
    send(world, step, repository, pullEvents(repository, pull, action, before));
  };
  switch (act.kind) {
    case 'push':
    case 'force-push': {
      if (!isOpen) return;
      const before = pull.head;
      pull.head = repository.commit(act.lines, [act.kind === 'push' ? before : repository.main]);
      pull.base = repository.main;
      pull.merge = repository.commit(act.lines, [repository.main, pull.head]);
      tell('synchronize', before);
      return;
    }
    case 'close':
    case 'merge':
    case 'rename': {
      if (!isOpen || (act.kind === 'merge' && pull.isConflicted)) return;
      close(world, pull, step);
      // A head branch with another name is no head any more: the host closes its pull request, which cannot be opened again.
      pull.isGone = act.kind === 'rename';
      pull.isMerged = act.kind === 'merge';
      const before = repository.main;
      if (pull.isMerged) repository.main = repository.commit(repository.linesOf(pull.head), [before, pull.head]);
      tell('closed');
      if (pull.isMerged) world.send(repository, [pushEvent(repository, before)], { after: 1_000, fate: null });
      return;
    }
    case 'reopen':
      if (isOpen || pull.isMerged || pull.isGone) return;
      pull.state = 'open';
      pull.closedAt = null;
      pull.openedAt = now;
      chooseAgain(world, pull, step);
      tell('reopened');
      return;
    case 'label':
    case 'unlabel':
      if (!setLabel(pull, 'preview', act.kind === 'label')) return;
      chooseAgain(world, pull, step);
      tell(act.kind === 'label' ? 'labeled' : 'unlabeled');
      return;
    case 'keep':
    case 'unkeep':
      if (!setLabel(pull, keepLabel, act.kind === 'keep')) return;
      pull.keepSince = now;
      tell(act.kind === 'keep' ? 'labeled' : 'unlabeled');
      return;
    case 'draft':
    case 'ready':
      if (pull.isDraft === (act.kind === 'draft') || !isOpen) return;
      pull.isDraft = act.kind === 'draft';
      chooseAgain(world, pull, step);
      tell(pull.isDraft ? 'converted_to_draft' : 'ready_for_review');
      return;
    case 'conflict':
    case 'resolve':
      // Somebody else's push to the base makes it, or a push there takes it away. Neither is an event of the pull request.
      pull.isConflicted = act.kind === 'conflict';
      return;
    case 'deployed':
      send(world, step, repository, [deployedEvent(repository, pull, now)]);
  }
}

/** Puts a label on a pull request, or takes it off; `false` where nothing changes. */
function setLabel(pull: Pull, label: string, isOn: boolean): boolean {
  if (pull.labels.includes(label) === isOn) return false;
  pull.labels = isOn ? [...pull.labels, label] : pull.labels.filter((one) => one !== label);
  return true;
}

function close(world: World, pull: Pull, step: Step): void {
  pull.state = 'closed';
  pull.closedAt = world.time.now;
  pull.closeCame = isInTime(step.delivery);
}

/** Notes since when a pull request may have no preview, or that it may have one from now on. */
function chooseAgain({ who, time }: World, pull: Pull, { delivery }: Step): void {
  const isWanted =
    (who !== 'labelled' || pull.labels.includes('preview')) && (who !== 'no drafts' || !pull.isDraft) && !pull.author.endsWith('[bot]');
  if (isWanted === (pull.unwantedAt === null)) return;
  pull.unwantedAt = isWanted ? null : time.now;
  pull.unwantedCame = isInTime(delivery);
  if (isWanted) pull.openedAt = time.now;
}

const isInTime = (delivery: Step['delivery']): boolean => delivery === 'at once' || delivery === 'twice';

function send(world: World, { delivery, late, fate }: Step, repository: Repository, events: readonly HostEvent[]): void {
  if (delivery === 'lost') {
    world.counts.lost += 1;
    return;
  }
  const after = delivery === 'late' ? late * minutes : world.random.int(500, 8_000);
  if (delivery === 'late') world.counts.lost += 1;
  world.send(repository, events, { after, fate });
  if (delivery === 'twice') world.send(repository, events, { after: after + world.random.int(200, 120_000), fate: null });
}

/** A step in words. */
export function told({ act, delivery, late, fate }: Step): string {
  const lines =
    'lines' in act
      ? ` with ${act.lines.map(({ id, name, kind, note }) => `${id}:${kind} ${name}${note > 0 ? ` v${note}` : ''}`).join(', ')}`
      : '';
  const more =
    act.kind === 'no-schedule'
      ? ` for ${act.hours} h`
      : act.kind === 'limit'
        ? ` for ${act.minutes} min`
        : act.kind === 'sweep-dies'
          ? `: ${fateText(act.fate)}`
          : '';
  const from =
    act.kind === 'open'
      ? `${act.from === 'here' ? '' : ` from a ${act.from}`}${act.draft ? ' as a draft' : ''}${act.label ? ' with the label' : ''}`
      : '';
  const way = delivery === 'at once' ? '' : `, its event ${delivery === 'late' ? `${late} min late` : delivery}`;
  return `${act.kind}${from}${lines}${more}${way}${fate ? `, its job: ${fateText(fate)}` : ''}`;
}

const fateText = ({ kind, effect }: { readonly kind: string; readonly effect: number | null }): string =>
  `${kind}ed ${effect === null ? 'before it begins' : `after ${effect} requests and pushes`}`;
