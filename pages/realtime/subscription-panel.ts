/** A GraphQL subscription over WebSocket, showing each message of graphql-transport-ws. */

import { attempt } from '../shared/attempt.js';
import { call } from '../shared/call.js';
import { byId } from '../shared/element.js';
import { logIn } from './log.js';
import { addressFor, area, button, onSubmit, socketAddressFor, stateIn } from './panel.js';

const protocol = 'graphql-transport-ws';
const operationId = '1';

interface Message {
  readonly type: string;
  readonly payload?: unknown;
}

const note = logIn(byId('subscription-log', HTMLOListElement));
const showState = stateIn('subscription-state');
let socket: WebSocket | undefined;

onSubmit('subscription', async () => {
  const query = area('document').value;
  const url = await socketAddressFor('/graphql');
  socket?.close(1000);
  const opened = new WebSocket(url, protocol);
  socket = opened;
  showState('waiting', 'connecting');
  button('unsubscribe').disabled = false;
  button('add-todo').hidden = !query.includes('todoChanged');
  const send = (message: object & Message): void => {
    opened.send(JSON.stringify(message));
    note('sent', message.type, textOf(message));
  };
  opened.onopen = () => send({ type: 'connection_init' });
  opened.onmessage = ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as Message;
    note('received', message.type, textOf(message));
    if (message.type === 'connection_ack') {
      showState('open', 'subscribed');
      send({ id: operationId, type: 'subscribe', payload: { query } } as Message);
    }
    if (message.type === 'complete' || message.type === 'error') opened.close(1000);
  };
  opened.onclose = ({ code, reason, wasClean }) => {
    note(wasClean ? 'status' : 'failed', `close ${code}`, reason || 'no reason');
    if (socket !== opened) return;
    showState(code === 1000 ? 'none' : 'failed', `closed, ${code}`);
    button('unsubscribe').disabled = true;
    button('add-todo').hidden = true;
  };
});

function textOf({ type: _type, payload, ...others }: object & Message): string {
  return JSON.stringify(payload ?? others);
}

button('unsubscribe').addEventListener('click', () => {
  if (socket?.readyState === WebSocket.OPEN) {
    const complete = { id: operationId, type: 'complete' };
    socket.send(JSON.stringify(complete));
    note('sent', complete.type, textOf(complete));
  }
  socket?.close(1000);
});

button('add-todo').addEventListener('click', () =>
  attempt(async () => {
    const title = `Added at ${new Date().toLocaleTimeString()}`;
    await call(String(await addressFor('/api/Todos')), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title, userId: 1 }),
    });
  }),
);
