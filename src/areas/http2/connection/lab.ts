/** The lab: finds the case of each connection, serves the list, and records what clients do. */

import type { Socket } from 'node:net';
import { decodePercent } from '#base/text/decode-percent.js';
import { turns } from '#base/work-in-turns.js';
import { guard } from '#kit/connection.js';
import { caseOf } from '../cases/cases.js';
import { headers, maxFrameBytes } from '../frames/frames.js';
import { LabConnection, type LabRequest } from './lab-connection.js';
import { play, type Reading } from './play.js';

/** A case, and the place where its reading is recorded: a run, a sandbox, or none. */
export interface Visit {
  readonly name: string;
  readonly run?: string;
  /** Name, or a tilde and the secret of a pupil or an account. */
  readonly sandbox?: string;
  /** Value of X-Service-Key. */
  readonly key?: string;
  /** Address of the client. */
  readonly ip: string;
}

export interface LabResponse {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LabHost {
  /** Records that a client begins a case; returns the function that records the reading. */
  readonly begin: (visit: Visit) => Promise<((reading: Reading) => Promise<void>) | undefined>;
  /** Returns the list of cases. */
  readonly list: (accept: string, authority: string, isEncrypted: boolean) => Promise<LabResponse>;
}

const paths =
  /^(?:\/runs\/(?<run>[\w-]{1,100})|\/s\/(?<sandbox>[^/?]{1,200}))?\/(?<name>[\w-]{1,64})(?:\?|$)/;

const fieldOf = ({ fields }: LabRequest, name: string) =>
  fields.find(([each]) => each === name)?.[1] ?? '';

/** Time for a client to open its window. */
const windowMs = 20_000;

export function serveLab(socket: Socket, host: LabHost): void {
  let target: string | undefined;
  /** One list at a time, made once its client opens a window. */
  let lists: Promise<unknown> = Promise.resolve();
  const connection = new LabConnection(socket, async (request) => {
    const path = fieldOf(request, ':path');
    if (target !== undefined) {
      // The case responds to other requests for it.
      if (path !== target) respond(connection, request, misdirected);
      return;
    }
    const visit = visitOf(request, socket);
    const found = visit && caseOf(visit.name);
    if (visit === undefined || found === undefined) {
      connection.begin();
      if (!/^\/(?:\?|$)/.test(path)) return respond(connection, request, unknownCase);
      lists = lists.finally(async () => {
        const isOpen = () => connection.roomOf(request.stream) > 0;
        if (!(await connection.until(isOpen, windowMs))) return;
        await turns.whenFree();
        await respond(connection, request, await host.list(...listFor(request, socket)));
      });
      await lists;
      return;
    }
    target = path;
    const record = await host.begin(visit);
    if (record === undefined) {
      connection.begin();
      await respond(connection, request, unknownRun);
      connection.end('NO_ERROR');
      return;
    }
    await record(await play(connection, found, request));
  });
}

function listFor(request: LabRequest, socket: Socket): Parameters<LabHost['list']> {
  return [fieldOf(request, 'accept'), fieldOf(request, ':authority'), 'encrypted' in socket];
}

function visitOf(request: LabRequest, socket: Socket): Visit | undefined {
  const { name, run, sandbox } = paths.exec(fieldOf(request, ':path'))?.groups ?? {};
  if (name === undefined) return undefined;
  const ip = socket.remoteAddress ?? '';
  const key = fieldOf(request, 'x-service-key');
  return {
    ...{ name, ip, key },
    ...(run && { run }),
    ...(sandbox && { sandbox: decodePercent(sandbox) ?? '' }),
  };
}

const plain = (status: number, body: string): LabResponse => ({ status, type: 'text/plain', body });
const misdirected = plain(421, 'This connection belongs to another case. Use a new one.\n');
const unknownCase = plain(404, 'Unknown case. / lists all.\n');
const unknownRun = plain(404, 'Unknown run, or sandbox without a valid key.\n');

/** Sends a right response within the windows of the client. */
async function respond(
  connection: LabConnection,
  { stream }: LabRequest,
  { status, type, body, headers: more = {} }: LabResponse,
): Promise<void> {
  const bytes = Buffer.from(body as string);
  connection.write(
    headers(stream, [
      [':status', `${status}`],
      ['content-type', `${type}; charset=utf-8`],
      ['content-length', `${bytes.length}`],
      ['cache-control', 'no-store'],
      ...Object.entries(more),
    ]),
  );
  for (let at = 0; at < bytes.length; ) {
    const room = () => connection.roomOf(stream);
    if (!(await connection.until(() => room() > 0, windowMs))) return;
    const next = bytes.subarray(at, at + Math.min(maxFrameBytes, room()));
    at += next.length;
    connection.sendData(stream, next, at === bytes.length);
  }
}

export const acceptFor = (host: LabHost) => (socket: Socket) =>
  guard(socket, serveLab)(socket, host);
