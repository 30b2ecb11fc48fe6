/** Connections to try out: a stream of events, and a socket. */

import { call } from '../shared/call.js';
import { byId } from '../shared/element.js';
import { addThemeSwitch, applyTheme } from '../shared/theme.js';
import { logIn } from './log.js';
import { placeOfVisitor } from './place.js';

applyTheme();
addThemeSwitch();

const fault = byId('fault', HTMLParagraphElement);
const where = byId('where', HTMLSpanElement);

const field = (id: string) => byId(id, HTMLInputElement);
const button = (id: string) => byId(id, HTMLButtonElement);

type ConnectionState = 'open' | 'waiting' | 'failed' | 'none';

function stateIn(id: string) {
  const shown = byId(id, HTMLParagraphElement);
  return (state: ConnectionState, text: string): void => {
    shown.dataset.state = state;
    shown.textContent = text;
  };
}

/** Shows what went wrong, until the next thing is done. */
async function attempt(act: () => void | Promise<void>): Promise<void> {
  fault.hidden = true;
  try {
    await act();
  } catch (error) {
    fault.textContent = (error as Error).message;
    fault.hidden = false;
  }
}

function onSubmit(id: string, act: () => void | Promise<void>): void {
  byId(id, HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(act);
  });
}

/** Whatever a path names, the address is one of this service. */
async function addressFor(path: string): Promise<URL> {
  if (!/^\/(?!\/)/.test(path))
    throw new Error('An address begins with a slash, such as /api/ws/echo.');
  return new URL((await placeOfVisitor()) + path);
}

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
      isOver ? 'fell' : 'told',
      isOver ? 'ended' : 'broke',
      isOver ? 'The stream is over, or was refused.' : 'The client comes back by itself.',
    );
    if (isOver) disconnectEvents('ended');
  };
  const note = ({ type, data, lastEventId }: MessageEvent<string>): void => {
    noteEvent('came', lastEventId === '' ? type : `${type} ${lastEventId}`, data);
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

const noteFrame = logIn(byId('socket-log', HTMLOListElement));
const showSocket = stateIn('socket-state');
let socket: WebSocket | undefined;

onSubmit('socket', async () => {
  const url = await addressFor(field('socket-path').value.trim());
  url.protocol = url.protocol.replace('http', 'ws');
  const protocols = field('protocols')
    .value.split(',')
    .map((each) => each.trim());
  socket?.close();
  const opened = new WebSocket(
    url,
    protocols.filter((each) => each !== ''),
  );
  opened.binaryType = 'arraybuffer';
  socket = opened;
  showSocket('waiting', 'connecting');
  button('socket-close').disabled = false;
  opened.onopen = () => {
    showSocket('open', opened.protocol === '' ? 'connected' : `connected, ${opened.protocol}`);
    button('send-message').disabled = false;
    noteFrame('told', 'open', opened.extensions || 'without extensions');
  };
  opened.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    const isText = typeof data === 'string';
    noteFrame('came', isText ? 'text' : 'binary', isText ? data : `${data.byteLength} bytes`);
  };
  opened.onclose = ({ code, reason, wasClean }) => {
    noteFrame(
      wasClean ? 'told' : 'fell',
      `close ${code}`,
      reason || (wasClean ? 'no reason' : 'no close frame, or refused'),
    );
    if (socket !== opened) return;
    showSocket(wasClean ? 'none' : 'failed', `closed, ${code}`);
    button('socket-close').disabled = true;
    button('send-message').disabled = true;
  };
});

button('socket-close').addEventListener('click', () =>
  socket?.close(1000, 'as the visitor wished'),
);

onSubmit('send', () => {
  if (socket?.readyState !== WebSocket.OPEN) throw new Error('Connect first.');
  const text = byId('message', HTMLTextAreaElement).value;
  socket.send(text);
  noteFrame('sent', 'sent', text);
});

byId('message', HTMLTextAreaElement).addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  byId('send', HTMLFormElement).requestSubmit();
});

attempt(async () => {
  const { pathname } = new URL(await placeOfVisitor());
  // An address that stands for an account is a secret.
  where.textContent = pathname.includes('/s/~')
    ? 'You are in your account.'
    : `Your sandbox is at ${pathname}.`;
});
