/** Echoes messages: unchanged, later, without pongs, or in fragments (RFC 6455 section 5.4). */

import { Type } from 'typebox';
import { gotParameter } from '#base/text/got-value.js';
import { turns } from '#base/work-in-turns.js';
import { fieldError } from '#http/http-error.js';
import { seconds } from '#kit/describe/seconds.js';
import { endpoint } from '#kit/endpoint.js';
import { type Message, maxMessageBytes, type ServerSocket } from '#kit/websocket/web-sockets.js';
import { cutBySizes, parseFragmentSizes } from './cut-by-sizes.js';
import { pauseWhileOpen, type SocketEndpoint, sendBack, socketSpec } from './socket.js';

export const echo: SocketEndpoint = (path, { webSockets }) =>
  endpoint('GET', path, {
    ...socketSpec,
    summary: 'Echo messages',
    description: 'Text and binary messages; a fragmented message in the same fragments.',
    query: {
      ...socketSpec.query,
      delay: seconds('Seconds to delay each message.', 0, 60),
      max: Type.Integer({
        minimum: 1,
        maximum: maxMessageBytes,
        default: maxMessageBytes,
        description: 'Maximum bytes of a message. A larger message closes the socket with 1009.',
      }),
      report: Type.Boolean({
        default: false,
        description:
          'Sends a text with JSON after each message: its frames, and what breaks RFC 6455 but is accepted.',
      }),
    },
    queryFaults: 'undelayed',
    handle(request, reply) {
      const { delay, max, report } = request.query;
      const use = (socket: ServerSocket) => echoAll(socket, delay * 1000, report);
      return webSockets.accept(request, reply, use, { maxMessageBytes: max });
    },
  });

export const silent: SocketEndpoint = (path, { webSockets }) =>
  endpoint('GET', path, {
    ...socketSpec,
    summary: 'Ignore pings',
    description: 'Messages are echoed, so that the connection otherwise seems healthy.',
    handle: (request, reply) =>
      webSockets.accept(request, reply, (socket) => echoAll(socket, 0), { isSilent: true }),
  });

export const fragments: SocketEndpoint = (path, { webSockets }) =>
  endpoint('GET', path, {
    ...socketSpec,
    summary: 'Echo messages in fragments of these sizes',
    description:
      'The rest of a message is its last fragment; a short message has fewer fragments. A size of 0 is an empty fragment. Characters may be split.',
    query: {
      ...socketSpec.query,
      sizes: Type.String({
        default: '1,2,3',
        maxLength: 1000,
        description:
          'Bytes of each fragment, separated by commas: at most 100, each from 0 to 1048576.',
      }),
    },
    handle(request, reply) {
      webSockets.readHandshake(request, reply);
      const sent = request.query.sizes;
      const sizes = parseFragmentSizes(sent);
      if (sizes === undefined) {
        const message = `sizes must be integers separated by commas, at most 100, each from 0 to 1048576, such as 1,2,3${gotParameter('sizes', sent)}.`;
        throw fieldError('sizes', message);
      }
      return webSockets.accept(request, reply, (socket) =>
        socket.eachMessage((message) =>
          sendFragments(socket, message, cutBySizes(message.data.length, sizes)),
        ),
      );
    },
  });

function echoAll(socket: ServerSocket, delayMs: number, isReported = false): void {
  let count = 0;
  socket.eachMessage((message) => {
    count++;
    const send = () => {
      const sent = sendFragments(socket, message, message.fragments);
      if (!isReported) return sent;
      const report = () => socket.send(JSON.stringify(reportOf(message, count)));
      return sent === undefined ? report() : sent.then(report);
    };
    if (delayMs === 0) return send();
    return pauseWhileOpen(socket, delayMs).then((isOpen) => (isOpen ? send() : undefined));
  });
}

/** Beyond it, sizes are left out of a report. */
const reportedFragments = 100;

function reportOf({ data, isBinary, fragments, longLengths }: Message, message: number) {
  const subject = longLengths === 1 ? 'one frame is' : `${longLengths} frames are`;
  const warning = `The length of ${subject} not in its shortest form (RFC 6455 section 5.2).`;
  return {
    message,
    type: isBinary ? 'binary' : 'text',
    bytes: data.length,
    frames: fragments.length,
    fragments: fragments.slice(0, reportedFragments),
    warnings: longLengths === 0 ? [] : [warning],
  };
}

/** Fragments that are sent in one turn. */
const fragmentsPerTurn = 256;

/** Sends a message cut into these sizes, which together are its length. */
function sendFragments(
  socket: ServerSocket,
  message: Message,
  sizes: readonly number[],
): Promise<void> | undefined {
  return sizes.length > 1 ? sendEach(socket, message, sizes) : sendBack(socket, message);
}

async function sendEach(
  socket: ServerSocket,
  { data, isBinary }: Message,
  sizes: readonly number[],
): Promise<void> {
  let place = 0;
  for (const [index, size] of sizes.entries()) {
    if (socket.readyState !== socket.OPEN) return;
    const sent = index + 1;
    const fragment = data.subarray(place, place + size);
    place += size;
    socket.send(fragment, { binary: isBinary, fin: sent === sizes.length });
    if (!socket.hasRoom) await socket.room();
    else if (sent % fragmentsPerTurn === 0) await turns.next();
  }
}
