/** Shows the sessions, verdicts and messages of the sandbox. */

import { counted, showVerdicts } from '../shared/counts.js';
import { byId, element } from '../shared/element.js';
import {
  type Heard,
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
  const [status, sessions, messages] = await Promise.all([
    readStatus(),
    readSessions(),
    readMessages(),
    showVerdicts(['mcp', 'mcp-misbehaviours']),
  ]);
  const state = JSON.stringify([status, sessions, messages]);
  if (state === shown) return;
  shown = state;
  showStatus(status, messages.length);
  showSessions(sessions);
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
