/** The view of a pupil: the base URL, a first request, the next challenge, messages, and the ranking. */

import { addressOf } from '../shared/address-of.js';
import { attempt } from '../shared/attempt.js';
import { ApiError } from '../shared/call.js';
import { copyButton } from '../shared/copy-button.js';
import { button, byId, element } from '../shared/element.js';
import { type OwnProgress, type Ranked, readMe, readRanking, startChallenge } from './api.js';
import { lastOf } from './cells.js';
import { messagesOf } from './lists.js';
import { forgetPupil, pathOf, storePupil } from './own-pupils.js';

const refreshMs = 3000;

/** Cards by name, with the content that each shows. */
const cards = new Map<string, { readonly root: HTMLElement; shown: string }>();

export async function showProgress(): Promise<void> {
  const me = await refresh();
  // The pupil may have opened the address that the teacher copied.
  storePupil({ label: me.label, class: me.class.name, address: addressOf('') });
  const timer = setInterval(() => {
    if (document.visibilityState !== 'visible') return;
    refresh().catch((error: Error) => {
      if (!(error instanceof ApiError && error.status === 404)) return showLost(error);
      clearInterval(timer);
      showEnd();
    });
  }, refreshMs);
}

function showLost(error: Error): void {
  byId('said', HTMLParagraphElement).textContent = `${error.message} Trying again …`;
}

function showEnd(): void {
  const base = addressOf('');
  forgetPupil(pathOf(base));
  const start = `${base.replace(/\/s\/[^/]+$/, '')}/class`;
  byId('said', HTMLParagraphElement).replaceChildren(
    'The class has ended, or the teacher removed you. ',
    element('a', { href: start }, 'Join a class'),
  );
}

async function refresh(): Promise<OwnProgress> {
  const me = await readMe();
  show(me, me.class.ranking ? await readRanking() : []);
  return me;
}

function show(me: OwnProgress, ranking: readonly Ranked[]): void {
  const { pupil, label, solved, points, hintCost, requests, failures } = me;
  const hints = hintCost === 0 ? '' : `, ${hintCost} spent on hints`;
  byId('title', HTMLHeadingElement).textContent = `${label} in ${me.class.name}`;
  byId('lead', HTMLParagraphElement).hidden = true;
  const frozen = me.class.frozen ? 'The teacher has frozen the class: nothing counts now. ' : '';
  const said = `${frozen}${solved.length} solved, ${points} points${hints}, ${requests} requests, ${failures} of them failed. On a board without names, you are pupil ${pupil}.`;
  const place = byId('said', HTMLParagraphElement);
  if (place.textContent !== said) place.textContent = said;
  const base = addressOf('');
  const { next, current, last, assigned, messages } = me;
  showCard('base', [base], () => baseCard(base));
  showCard('next', [next, current, last, solved.at(-1), assigned.length], () => nextCard(me));
  showCard('assigned', [assigned, solved.length], () => assignedCard(me));
  showCard('messages', [messages], () => messagesOf(messages));
  showCard('ranking', [ranking], () => (ranking.length > 0 ? rankingCard(ranking) : []));
}

/** Replaces the content of a card if it has changed. The focus stays at its place in the card. */
function showCard(name: string, content: unknown, make: () => readonly Node[]): void {
  const card = cards.get(name) ?? newCard(name);
  const text = JSON.stringify(content);
  if (text === card.shown) return;
  card.shown = text;
  const stops = () => [...card.root.querySelectorAll<HTMLElement>('a, button')];
  const place = stops().indexOf(document.activeElement as HTMLElement);
  const children = make();
  card.root.replaceChildren(...children);
  card.root.hidden = children.length === 0;
  if (place >= 0) (stops()[place] ?? stops().at(-1))?.focus({ preventScroll: true });
}

function newCard(name: string) {
  const card = { root: element('section', { class: `card ${name}` }), shown: '' };
  if (cards.size === 0) {
    byId('view', HTMLDivElement).replaceChildren(element('div', { class: 'cards' }));
  }
  byId('view', HTMLDivElement).firstElementChild?.append(card.root);
  cards.set(name, card);
  return card;
}

function baseCard(base: string): readonly Node[] {
  const line = `curl -s ${base}/api/Books/1`;
  return [
    element('h2', {}, 'Your base URL'),
    copyable(base, 'base', 'Copy'),
    element(
      'p',
      { class: 'quiet' },
      'Use it instead of the URL of the service, with any client. It is yours: keep it secret.',
    ),
    element('h3', {}, 'Try this first'),
    copyable(line, 'line', 'Copy the line'),
  ];
}

const copyable = (text: string, name: string, label: string) =>
  element(
    'p',
    { class: 'copyable' },
    element('code', { class: name }, text),
    copyButton(label, () => text),
  );

function nextCard({ next, current, last, solved, assigned }: OwnProgress): readonly Node[] {
  const isSolved = last !== null && solved.at(-1)?.at === last.time;
  return [
    element('h2', {}, next?.started ? 'Your challenge' : 'Next challenge'),
    ...(next === null
      ? [element('p', {}, assigned.length > 0 ? doneText : unassignedText)]
      : [
          element('p', {}, element('b', {}, next.title)),
          element('p', {}, next.goal),
          element(
            'p',
            { class: 'row' },
            ...(next.started ? [] : [startButton(next.id)]),
            linkTo(next.id, next.started ? 'Hints and details' : 'Details'),
          ),
        ]),
    element('h3', {}, 'Your last request'),
    ...(last === null
      ? [element('p', { class: 'quiet' }, 'None yet.')]
      : [element('p', { class: 'last' }, ...lastOf(last))]),
    ...(isSolved ? [element('p', { class: 'worked' }, 'It solved a challenge.')] : []),
    ...lackOf(current, next),
  ];
}

const doneText = 'You have solved everything that is assigned.';
const unassignedText = 'Your teacher has not assigned any. Choose one yourself:';

function lackOf(current: OwnProgress['current'], next: OwnProgress['next']): readonly Node[] {
  const missing = current?.missing.filter((each) => each !== next?.goal) ?? [];
  if (missing.length === 0) return [];
  return [
    element('h3', {}, 'What is missing'),
    element('ul', { class: 'missing' }, ...missing.map((each) => element('li', {}, each))),
  ];
}

function startButton(id: string): HTMLElement {
  const start = () =>
    void attempt(async () => {
      await startChallenge(id);
      await refresh();
    });
  return button('Start', start, { class: 'main-action' });
}

function assignedCard({ assigned, solved, next }: OwnProgress): readonly Node[] {
  const items = assigned.map(({ id, title, solved: isSolved }) =>
    element(
      'li',
      { 'aria-current': id === next?.id ? 'step' : undefined },
      linkTo(id, title),
      ...(isSolved ? [element('b', { class: 'worked' }, ' solved')] : []),
    ),
  );
  const done = assigned.filter((each) => each.solved).length;
  return [
    element('h2', {}, 'Challenges'),
    ...(items.length === 0
      ? [element('p', {}, `You have solved ${solved.length}.`)]
      : [
          element('p', {}, `${done} of ${items.length} assigned are solved.`),
          element('ol', {}, ...items),
        ]),
    element('p', {}, element('a', { href: addressOf('/challenges') }, 'All challenges')),
  ];
}

const linkTo = (id: string, text: string) =>
  element('a', { href: addressOf(`/challenges#${id}`) }, text);

function rankingCard(ranking: readonly Ranked[]): readonly Node[] {
  const rows = ranking.map(({ rank, name, points, solved, isMe }) =>
    element(
      'tr',
      { class: isMe && 'me' },
      element('td', { class: 'number' }, String(rank)),
      element('th', { scope: 'row' }, isMe ? `${name} (you)` : name),
      element('td', { class: 'number' }, String(points)),
      element('td', { class: 'number' }, String(solved)),
    ),
  );
  const heads = ['Rank', 'Name', 'Points', 'Solved'].map((each) =>
    element('th', { scope: 'col' }, each),
  );
  return [
    element('h2', {}, 'Ranking'),
    element(
      'div',
      { class: 'table ranking', tabindex: 0, role: 'region', 'aria-label': 'Table of the ranking' },
      element(
        'table',
        {},
        element('thead', {}, element('tr', {}, ...heads)),
        element('tbody', {}, ...rows),
      ),
    ),
  ];
}
