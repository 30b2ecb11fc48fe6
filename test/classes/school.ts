/** A class with its teacher and pupils, for tests. */

import { expect } from 'vitest';
import { type SendOptions, send, type TestService } from '../support/service.js';

export interface Pupil {
  readonly pupil: string;
  readonly name: string;
  readonly address: string;
  /** Sends a request below the address of the pupil. */
  readonly call: (target: string, options?: SendOptions) => ReturnType<TestService['send']>;
}

export async function newClass(service: TestService, headers: Record<string, string> = {}) {
  const { json } = await service.send('POST /api/classes', { json: { name: 'Monday' }, headers });
  const { id, joinCode, teacherKey } = json as Record<'id' | 'joinCode' | 'teacherKey', string>;
  const path = `/api/classes/${id}`;

  /** Sends a request of the teacher, below the path of the class. */
  const teach = (target: string, options: SendOptions = {}) => {
    const [method, rest = ''] = target.split(' ');
    return service.send(`${method} ${path}${rest}`, {
      ...options,
      headers: { 'X-Teacher-Key': teacherKey, ...options.headers },
    });
  };

  async function join(name: string, from: Record<string, string> = {}): Promise<Pupil> {
    const json = { joinCode, name };
    const joined = await service.send('POST /api/classes/join', { json, headers: from });
    const { pupil, address } = joined.json;
    return { pupil, name, address, call: (target, options) => callAt(address, target, options) };
  }

  return { id, joinCode, teacherKey, path, teach, join, created: json };
}

export function callAt(address: string, target: string, options: SendOptions = {}) {
  const { origin, pathname } = new URL(address);
  const [method, rest = ''] = target.split(' ');
  return send(origin, `${method} ${pathname.replace(/\/$/, '')}${rest}`, options);
}

/** Solves the challenge `http-head`. */
export async function solve({ call }: Pupil) {
  await call('POST /api/challenges/http-head/start');
  await call('HEAD /api/Books/1');
}

/** Reads events of a class until `isEnough`; fails by the time limit of the test. */
export async function followBoard(
  service: TestService,
  path: string,
  key: string,
  isEnough: (events: string[], data: Record<string, unknown>[]) => boolean,
) {
  const leaving = new AbortController();
  const response = await fetch(`${service.url}${path}/events`, {
    headers: { Authorization: `Bearer ${key}` },
    signal: leaving.signal,
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const names: string[] = [];
  const data: Record<string, unknown>[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const name = /^event: (.+)$/m.exec(block)?.[1];
      if (name === undefined) continue;
      names.push(name);
      data.push(JSON.parse(/^data: (.+)$/m.exec(block)?.[1] ?? '{}'));
    }
    if (isEnough(names, data)) break;
  }
  leaving.abort();
  return { names, data };
}
