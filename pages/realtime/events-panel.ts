/** Opens and shows an event stream. */

import { attempt } from '../shared/attempt.js';
import { call } from '../shared/call.js';
import { byId } from '../shared/element.js';
import { logIn } from './log.js';
import { addressFor, button, field, onSubmit, stateIn } from './panel.js';

const eventTypes = ['created', 'updated', 'deleted', 'missed', 'tick', 'end'];
const noteEvent = logIn(byId('events-log', HTMLOListElement));
const showEvents = stateIn('events-state');
let source: EventSource | undefined;

onSubmit('events', async () => {
  const path = field('events-path').value.trim();
  const url = await addressFor(path);
  disconnectEvents();
  const opened = new EventSource(url);
  source = opened;
  showEvents('waiting', 'connecting');
  button('events-close').disabled = false;
  button('change').hidden = !path.includes('/changes');
  opened.onopen = () => showEvents('open', 'connected');
  opened.onerror = () => {
    const isOver = opened.readyState === EventSource.CLOSED;
    showEvents(isOver ? 'none' : 'waiting', isOver ? 'ended' : 'reconnecting');
    noteEvent(
      isOver ? 'failed' : 'status',
      isOver ? 'ended' : 'broke',
      isOver ? 'The stream has ended, or was rejected.' : 'The client reconnects by itself.',
    );
    if (isOver) disconnectEvents('ended');
  };
  const note = ({ type, data, lastEventId }: MessageEvent<string>): void => {
    noteEvent('received', lastEventId === '' ? type : `${type} ${lastEventId}`, data);
    if (type === 'end' || data === '[DONE]') disconnectEvents('ended');
  };
  opened.onmessage = note;
  for (const type of eventTypes) opened.addEventListener(type, note);
});

function disconnectEvents(text = 'not connected'): void {
  source?.close();
  source = undefined;
  button('events-close').disabled = true;
  showEvents('none', text);
}

button('events-close').addEventListener('click', () => disconnectEvents());
button('change').addEventListener('click', () =>
  attempt(async () => {
    const title = `Changed at ${new Date().toLocaleTimeString()}`;
    await call(String(await addressFor('/api/Books/1')), {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title }),
    });
  }),
);
