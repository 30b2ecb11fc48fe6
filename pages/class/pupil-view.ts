/** The view of a pupil: the base URL, progress, assigned challenges, messages, and the ranking. */

import { addressOf } from '../shared/address-of.js';
import { copyButton } from '../shared/copy-button.js';
import { byId, element } from '../shared/element.js';
import { type OwnProgress, type Ranked, readMe, readRanking } from './api.js';
import { messagesOf } from './board-view.js';
import { storePupil } from './own-pupils.js';
import { lastOf } from './pupil-table.js';

const refreshMs = 3000;

let last = '';

export async function showProgress(): Promise<void> {
  const me = await refresh();
  // The pupil may have opened the address that the teacher copied.
  storePupil({ label: me.label, class: me.class.name, address: addressOf('') });
  setInterval(() => {
    if (document.visibilityState === 'visible') refresh().catch(showLost);
  }, refreshMs);
}

function showLost(error: Error): void {
  byId('said', HTMLParagraphElement).textContent = `${error.message} Trying again …`;
}

async function refresh(): Promise<OwnProgress> {
  const me = await readMe();
  const ranking = me.class.ranking ? await readRanking() : [];
  const text = JSON.stringify([me, ranking]);
  if (text !== last) show(me, ranking);
  last = text;
  return me;
}

function show(me: OwnProgress, ranking: readonly Ranked[]): void {
  const { label, solved, points, hintCost, requests, failures } = me;
  const hints = hintCost === 0 ? '' : `, ${hintCost} spent on hints`;
  byId('title', HTMLHeadingElement).textContent = `${label} in ${me.class.name}`;
  byId('lead', HTMLParagraphElement).hidden = true;
  byId('said', HTMLParagraphElement).textContent = me.class.frozen
    ? 'The teacher has frozen the class: nothing counts right now.'
    : `${solved.length} solved, ${points} points${hints}, ${requests} requests, ${failures} of them failed.`;
  byId('view', HTMLDivElement).replaceChildren(
    element(
      'div',
      { class: 'cards' },
      baseCard(me),
      assignedCard(me),
      card('messages-title', ...messagesOf(me.messages)),
      ...(ranking.length > 0 ? [rankingCard(ranking)] : []),
    ),
  );
}

function baseCard({ last: latest, current }: OwnProgress): HTMLElement {
  const base = addressOf('');
  return card(
    'base-title',
    element('h2', { id: 'base-title' }, 'Your base URL'),
    element('p', {}, element('code', { class: 'base' }, base)),
    element(
      'p',
      { class: 'row' },
      copyButton('Copy', () => base),
    ),
    element(
      'p',
      { class: 'quiet' },
      'Use it instead of the address of the service. It is yours: keep it secret.',
    ),
    ...(latest === null ? [] : [element('p', {}, 'Last request: ', ...lastOf(latest))]),
    ...(current === null
      ? []
      : [element('p', {}, 'You work on ', linkTo(current.id, current.id), '.')]),
  );
}

function assignedCard({ assigned, solved }: OwnProgress): HTMLElement {
  const items = assigned.map(({ id, title, solved: isSolved }) =>
    element(
      'li',
      {},
      linkTo(id, title),
      ...(isSolved ? [element('b', { class: 'worked' }, ' solved')] : []),
    ),
  );
  const done = assigned.filter((each) => each.solved).length;
  return card(
    'assigned-title',
    element('h2', { id: 'assigned-title' }, 'Challenges'),
    ...(items.length === 0
      ? [element('p', {}, `You have solved ${solved.length}.`)]
      : [
          element('p', {}, `${done} of ${items.length} assigned are solved.`),
          element('ul', {}, ...items),
        ]),
    element('p', {}, element('a', { href: addressOf('/challenges') }, 'All challenges')),
  );
}

const linkTo = (id: string, text: string) =>
  element('a', { href: addressOf(`/challenges#${id}`) }, text);

function rankingCard(ranking: readonly Ranked[]): HTMLElement {
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
  return card(
    'ranking-title',
    element('h2', { id: 'ranking-title' }, 'Ranking'),
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
  );
}

function card(titleId: string, ...children: readonly Node[]): HTMLElement {
  return element('section', { class: 'card', 'aria-labelledby': titleId }, ...children);
}
