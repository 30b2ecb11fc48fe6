/** Shows the sessions, findings and messages of the sandbox. */

import { byId, element } from '../shared/element.js';
import {
  type Finding,
  type Heard,
  type Judged,
  readFindings,
  readMessages,
  readSessions,
  readStatus,
  type Session,
  type Status,
} from './api.js';

const maxShownMessages = 50;

/** The shown state as text, so that only changes touch the page. */
let shown = '';

export async function refresh(): Promise<void> {
  const [status, sessions, messages, judged] = await Promise.all([
    readStatus(),
    readSessions(),
    readMessages(),
    readFindings(),
  ]);
  const state = JSON.stringify([status, sessions, messages, judged]);
  if (state === shown) return;
  shown = state;
  showStatus(status, messages.length);
  showSessions(sessions);
  showFindings(judged, messages.length);
  showMessages(messages);
}

function showStatus({ misbehave, sessions, streams, tasks, running }: Status, messages: number) {
  byId('live', HTMLParagraphElement).textContent =
    messages === 0 && sessions === 0
      ? 'No client has connected yet.'
      : [
          counted(sessions, 'session'),
          counted(streams, 'open stream'),
          counted(tasks, 'task'),
          `${running} running`,
        ].join(', ');
  byId('misbehaving', HTMLDivElement).hidden = misbehave === null;
  byId('misbehaviour', HTMLElement).textContent = misbehave ?? '';
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function showSessions(sessions: readonly Session[]): void {
  byId('sessions-empty', HTMLParagraphElement).hidden = sessions.length > 0;
  byId('sessions', HTMLUListElement).replaceChildren(
    ...sessions.map(({ client, revision, initialized, subscriptions, at }) =>
      element(
        'li',
        {},
        timeOf(at),
        element(
          'span',
          {},
          element('b', {}, client || 'A client without a name'),
          `, ${revision}${initialized ? '' : ', not initialized'}, ${counted(subscriptions, 'subscription')}`,
        ),
      ),
    ),
  );
}

function showFindings({ findings, rules }: Judged, messages: number): void {
  const count = (outcome: string) => rules.filter((each) => each.outcome === outcome).length;
  byId('rules-summary', HTMLParagraphElement).textContent =
    `Rules: ${count('broken')} broken, ${count('kept')} kept, ${count('not-reached')} not reached.`;
  const empty = byId('findings-empty', HTMLParagraphElement);
  empty.hidden = findings.length > 0;
  empty.textContent =
    messages === 0
      ? 'The judge reads every message of your client, and lists what breaks the specification.'
      : 'Nothing is wrong so far.';
  byId('forget', HTMLButtonElement).hidden = findings.length === 0;
  byId('findings', HTMLOListElement).replaceChildren(...findings.map(findingView));
}

function findingView({ rule, section, sent, right, requestId, at }: Finding): HTMLElement {
  return element(
    'li',
    {},
    element('div', { class: 'head' }, element('b', {}, rule), timeOf(at)),
    element('p', {}, element('span', { class: 'quiet' }, 'Sent: '), sent),
    element('p', {}, element('span', { class: 'quiet' }, 'Right: '), right),
    element('p', { class: 'quiet' }, `${section} · request `, element('code', {}, requestId)),
  );
}

function showMessages(messages: readonly Heard[]): void {
  byId('messages-empty', HTMLParagraphElement).hidden = messages.length > 0;
  const list = byId('messages', HTMLOListElement);
  // It scrolls, also by keyboard.
  list.tabIndex = 0;
  list.replaceChildren(
    ...messages
      .slice(0, maxShownMessages)
      .map(({ from, what, at }) =>
        element(
          'li',
          { 'data-from': from },
          timeOf(at),
          element('span', { class: 'from' }, from),
          element('code', {}, what),
        ),
      ),
  );
}

function timeOf(at: string): HTMLTimeElement {
  return element('time', { datetime: at, class: 'quiet' }, at.slice(11, 19));
}
