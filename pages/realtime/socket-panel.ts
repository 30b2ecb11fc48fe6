/** Opens a WebSocket, sends on it and shows its messages. */

import { byId } from '../shared/element.js';
import { logIn } from './log.js';
import { area, button, field, onSubmit, socketAddressFor, stateIn } from './panel.js';

const noteFrame = logIn(byId('socket-log', HTMLOListElement));
const showSocket = stateIn('socket-state');
let socket: WebSocket | undefined;

onSubmit('socket', async () => {
  button('send-message').disabled = true;
  const url = await socketAddressFor(field('socket-path').value.trim());
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
    noteFrame('status', 'open', opened.extensions || 'without extensions');
  };
  opened.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    const isText = typeof data === 'string';
    noteFrame('received', isText ? 'text' : 'binary', isText ? data : `${data.byteLength} bytes`);
  };
  opened.onclose = ({ code, reason, wasClean }) => {
    noteFrame(
      wasClean ? 'status' : 'failed',
      `close ${code}`,
      reason || (wasClean ? 'no reason' : 'no close frame, or rejected'),
    );
    if (socket !== opened) return;
    showSocket(wasClean ? 'none' : 'failed', `closed, ${code}`);
    button('socket-close').disabled = true;
    button('send-message').disabled = true;
  };
});

button('socket-close').addEventListener('click', () =>
  socket?.close(1000, 'closed by the visitor'),
);

onSubmit('send', () => {
  if (socket?.readyState !== WebSocket.OPEN) throw new Error('Connect first.');
  const text = area('message').value;
  socket.send(text);
  noteFrame('sent', 'sent', text);
});

area('message').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  byId('send', HTMLFormElement).requestSubmit();
});
