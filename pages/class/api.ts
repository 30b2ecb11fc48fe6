/** Requests of the page. The keys of teachers are stored in this browser. */

import { EventSource } from 'eventsource';
import { addressOf } from '../shared/address-of.js';
import { callJson, callJsonOpen, callOpen } from '../shared/call.js';
import { readStored, store } from '../shared/stored-text.js';

export interface Hunt {
  readonly id: string;
  readonly level: string;
  readonly count: number;
  readonly found: number;
  readonly points: number;
  readonly endedAt?: string;
}

export interface Pupil {
  readonly pupil: string;
  /** Different for each pupil of the class. */
  readonly label: string;
  readonly requests: number;
  readonly failures: number;
  readonly last: LastRequest | null;
  readonly points: number;
  readonly hintCost: number;
  readonly solved: readonly { readonly id: string; readonly at: string }[];
  readonly wrongReports: number;
  readonly hunts: readonly Hunt[];
  /** Ids of challenges that are started, not solved. */
  readonly tried: readonly string[];
  readonly current: Current | null;
}

export interface Current {
  readonly id: string;
  readonly missing: readonly string[];
  readonly since: string | null;
  /** Whether the pupil has worked on it for more than five minutes. */
  readonly stuck: boolean;
}

export interface LastRequest {
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
}

export interface Message {
  readonly id: number;
  readonly text: string;
  readonly time: string;
}

export interface Summary {
  readonly firsts: readonly {
    readonly challenge: string;
    readonly pupil: string;
    readonly label: string;
    readonly time: string;
  }[];
  readonly stuck: readonly {
    readonly challenge: string;
    readonly title: string;
    readonly pupils: number;
  }[];
}

export interface ClassInfo {
  readonly id: string;
  readonly name: string;
  readonly joinCode: string;
  readonly addresses: readonly string[];
  readonly endsAt: string;
  readonly frozen: boolean;
  readonly ranking: boolean;
  readonly assigned: readonly string[];
}

export interface Board extends ClassInfo, Summary {
  readonly pupils: readonly Pupil[];
  readonly messages: readonly Message[];
  readonly challenges: readonly ListedChallenge[];
}

export interface ListedChallenge {
  readonly id: string;
  readonly track: string;
  readonly title: string;
  readonly level: number;
}

export interface OwnProgress extends Pupil {
  readonly class: {
    readonly name: string;
    readonly endsAt: string;
    readonly frozen: boolean;
    readonly ranking: boolean;
  };
  readonly assigned: readonly {
    readonly id: string;
    readonly title: string;
    readonly solved: boolean;
  }[];
  readonly next: {
    readonly id: string;
    readonly title: string;
    readonly goal: string;
    readonly started: boolean;
  } | null;
  readonly messages: readonly Message[];
}

export interface Ranked {
  readonly rank: number;
  readonly name: string;
  readonly points: number;
  readonly solved: number;
  readonly isMe: boolean;
}

export interface RecordedRequest {
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly time: string;
  readonly durationMs: number;
  readonly fault: string | null;
}

export interface KnownClass {
  readonly id: string;
  readonly name: string;
  readonly key: string;
}

const at = (rest = '') => addressOf(`/api/classes${rest}`);

const knownName = 'practice-api-classes';

/** Returns the classes whose keys this browser has, the newest first. */
export function knownClasses(): readonly KnownClass[] {
  try {
    const known: unknown = JSON.parse(readStored(knownName) ?? '[]');
    return Array.isArray(known) ? (known as KnownClass[]) : [];
  } catch {
    return [];
  }
}

export function keepClass(added: KnownClass): void {
  const others = knownClasses().filter(({ id }) => id !== added.id);
  store(knownName, JSON.stringify([added, ...others].slice(0, 20)));
}

export function forgetClass(id: string): void {
  store(knownName, JSON.stringify(knownClasses().filter((each) => each.id !== id)));
}

export const createClass = (name: string) =>
  callJson<ClassInfo & { readonly teacherKey: string }>(at(), 'POST', { name });

export interface Membership {
  readonly label: string;
  readonly class: string;
  readonly address: string;
}

export interface Joined extends Membership {
  /** With it, the pupil returns. */
  readonly code: string;
}

export const joinClass = (joinCode: string, name: string) =>
  callJsonOpen<Joined>(at('/join'), 'POST', { joinCode, name });

export const rejoinClass = (joinCode: string, code: string) =>
  callJsonOpen<Membership>(at(`/${encodeURIComponent(joinCode)}/rejoin`), 'POST', { code });

export const readMe = () => callJsonOpen<OwnProgress>(at('/me'));
export const readRanking = () => callJsonOpen<readonly Ranked[]>(at('/ranking'));

export const startChallenge = (id: string) =>
  callOpen(addressOf(`/api/challenges/${id}/start`), { method: 'POST' });

/** Requests of the teacher of one class. */
export class Teacher {
  readonly id: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(id: string, key: string) {
    this.id = id;
    this.#headers = { 'X-Teacher-Key': key };
  }

  read = () => this.#json<Board>('GET', '');

  change = (change: { frozen?: boolean; ranking?: boolean; assigned?: readonly string[] }) =>
    this.#json<ClassInfo>('PATCH', '', change);

  say = (text: string) => this.#json<Message>('POST', '/messages', { text });

  requestsOf = (pupil: string) =>
    this.#json<{ readonly requests: readonly RecordedRequest[] }>(
      'GET',
      `/pupils/${pupil}/requests`,
    );

  secretsOf = (pupil: string) =>
    this.#json<{ readonly address: string; readonly code: string }>('GET', `/pupils/${pupil}`);

  resetAll = () => this.#send('POST', '/reset');
  reset = (pupil: string) => this.#send('POST', `/pupils/${pupil}/reset`);
  remove = (pupil: string) => this.#send('DELETE', `/pupils/${pupil}`);
  end = () => this.#send('DELETE', '');

  async file(format: string): Promise<Blob> {
    const formulas = format === 'csv' ? '&formulas=escape' : '';
    return (await this.#send('GET', `/export?format=${format}${formulas}`)).blob();
  }

  /** The browser's own EventSource cannot send headers. */
  follow(): EventSource {
    return new EventSource(at(`/${this.id}/events`), {
      fetch: (input, init) =>
        fetch(input, { ...init, headers: { ...init.headers, ...this.#headers } }),
    });
  }

  #json<Result>(method: string, rest: string, body?: unknown): Promise<Result> {
    return callJsonOpen<Result>(at(`/${this.id}${rest}`), method, body, this.#headers);
  }

  #send(method: string, rest: string): Promise<Response> {
    return callOpen(at(`/${this.id}${rest}`), { method, headers: this.#headers });
  }
}
