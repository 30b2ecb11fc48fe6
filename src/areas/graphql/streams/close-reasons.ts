/** Reasons why a WebSocket is closed, as codes of graphql-transport-ws and as text. */

import { MessageType, validateMessage } from 'graphql-ws';

export const closeCodes = {
  tryAgainLater: 1013,
  badMessage: 4400,
  badProtocol: 4406,
  failure: 4500,
} as const;

export const protocolFault = 'The subprotocol must be graphql-transport-ws.';

export const clientMessages: ReadonlySet<string> = new Set([
  MessageType.ConnectionInit,
  MessageType.Ping,
  MessageType.Pong,
  MessageType.Subscribe,
  MessageType.Complete,
]);

/** Describes the fault of a message. */
export function faultOf(text: string): string {
  try {
    validateMessage(JSON.parse(text));
  } catch (error) {
    return error instanceof SyntaxError ? 'The message is not JSON.' : (error as Error).message;
  }
  return 'The message is not part of the protocol.';
}

const maxReasonBytes = 123;

/** Limits a reason, which has a maximum in bytes. */
export function cut(reason: string): string {
  let text = reason;
  while (Buffer.byteLength(text) > maxReasonBytes) text = text.slice(0, -1);
  return text;
}
