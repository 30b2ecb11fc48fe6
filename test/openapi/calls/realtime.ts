/** Calls of event streams, of sockets, whose upgrade is a call, and of JSON-RPC. */

import { handshake } from '../../support/raw-web-socket.js';
import type { CallTable } from '../caller.js';

export const callEvents: CallTable = async (caller) => {
  const series = { query: { count: 3, interval: 0 } };
  await caller.call('getSseClock', 'Three events', series);
  await caller.call('getSseClock', 'The rest', { ...series, headers: { 'Last-Event-ID': '2' } });
  await caller.call('getSseClock', 'After the last event', {
    ...series,
    headers: { 'Last-Event-ID': '3' },
  });
  await caller.call('getSseTokens', 'A text in pieces', {
    query: { text: 'Hello there', interval: 0 },
  });
  const prefix = '/s/watched';
  await caller.send('deleteBooksById', { path: { id: 1 }, prefix });
  await callUntilSeen(caller);
  await caller.call('getSseChanges', 'An unknown collection', { query: { collection: 'none' } });
  for (const kind of ['multiline', 'wrong-type', 'error-before', 'none']) {
    await caller.call('getSseVariantsByKind', kind, { path: { kind } });
  }
  await caller.call('getSseVariantsByKind', 'After the last event', {
    path: { kind: 'cr' },
    headers: { 'Last-Event-ID': 'last' },
  });
};

/** A client that leaves has read the beginning: the stream is endless. */
async function callUntilSeen(caller: Parameters<CallTable>[0]): Promise<void> {
  await caller.call('getSseChanges', 'A book was deleted', {
    query: { collection: 'books', lastEventId: 0 },
    prefix: '/s/watched',
    isStreamCut: true,
  });
}

const offered = { 'Sec-WebSocket-Protocol': 'chat.v1' };

export const callSockets: CallTable = async (caller) => {
  for (const [operationId, request] of [
    ['getWsEcho', {}],
    ['getWsPush', {}],
    ['getWsClose', {}],
    ['getWsSilent', {}],
    ['getWsPings', {}],
    ['getWsSlow', {}],
    ['getWsFragments', {}],
    ['getWsProtocols', { headers: offered }],
    ['getWsAuth', {}],
    ['getWsRoomByName', { path: { name: 'lobby' } }],
    ['getWsRpc', {}],
    ['getWsBrokenByKind', { path: { kind: 'reserved-bits' } }],
  ] as const) {
    const headers = { ...handshake, ...('headers' in request && request.headers) };
    await caller.call(operationId, 'An upgrade', { ...request, headers, isNoExample: true });
    const path = 'path' in request ? { path: request.path } : {};
    await caller.call(operationId, 'No upgrade', path);
  }
  const upgrade = { headers: handshake, isNoExample: true } as const;
  for (const status of [200, 503]) {
    await caller.call('getWsRefuseByStatus', `Rejected with ${status}`, {
      headers: handshake,
      path: { status },
    });
  }
  await caller.call('getWsRefuseByStatus', 'No upgrade', { path: { status: 503 } });
  await caller.call('getWsAuth', 'A wrong token', {
    headers: { ...handshake, Authorization: 'Bearer wrong' },
  });
  await caller.call('getWsClose', 'A code that must not be sent', {
    ...upgrade,
    query: { code: 1005 },
  });
  await caller.call('postWsTickets', 'A ticket', {
    headers: { Authorization: 'Bearer demo-user-token' },
    isNoExample: true,
  });
};

export const callJsonRpc: CallTable = async (caller) => {
  const call = { jsonrpc: '2.0', method: 'subtract', params: [42, 23], id: 1 };
  await caller.call('postJsonrpc', 'A call', { json: call });
  await caller.call('postJsonrpc', 'A batch', {
    json: [call, { jsonrpc: '2.0', method: 'none', id: 2 }],
  });
  await caller.call('postJsonrpc', 'A notification', { json: { jsonrpc: '2.0', method: 'echo' } });
};
