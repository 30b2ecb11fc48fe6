/** The interface of a json-server version: its handler for each path. */

import type { Reply, Request } from '#http/exchange.js';
import type { OwnStore } from '../own/own-store.js';
import type { DataServices } from '../source/data-services.js';
import { Members, WritableMembers } from './members.js';

export interface Sending {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly value: unknown;
}

/** A request with the data of its sandbox. */
export class Exchange {
  readonly request: Request;
  readonly reply: Reply;
  readonly services: DataServices;
  readonly #store: OwnStore;
  #members: Promise<Members> | undefined;

  constructor(store: OwnStore, services: DataServices, request: Request, reply: Reply) {
    this.#store = store;
    this.services = services;
    this.request = request;
    this.reply = reply;
  }

  members(): Promise<Members> {
    this.#members ??= Members.of(this.#store, this.services, this.request);
    return this.#members;
  }

  /** Writes in one transaction, after performing the sandbox's due jobs. */
  async write<Result>(write: (members: WritableMembers) => Result): Promise<Result> {
    const { sandbox } = this.request;
    await this.services.dueWork.settle(sandbox);
    return sandbox.transact((view) => write(new WritableMembers(this.#store, view)));
  }
}

export interface RecordPath {
  readonly resource: string;
  readonly id: string;
}

export interface NestedPath extends RecordPath {
  readonly nested: string;
}

type Handler<Rest extends readonly unknown[]> = (
  exchange: Exchange,
  ...rest: Rest
) => Promise<Sending>;

export interface Dialect {
  readonly send: (request: Request, reply: Reply, sending: Sending) => Promise<Reply>;
  readonly list: Handler<[resource: string]>;
  readonly show: Handler<[resource: string, id: string]>;
  readonly create: Handler<[resource: string]>;
  readonly updateSingle: Handler<[resource: string, isPatch: boolean]>;
  readonly update: Handler<[path: RecordPath, isPatch: boolean]>;
  readonly remove: Handler<[path: RecordPath]>;
  readonly listBelow: Handler<[path: NestedPath]>;
  readonly createBelow: Handler<[path: NestedPath]>;
  readonly all: Handler<[]>;
  /** For paths with more names than any resource has. */
  readonly none: Handler<[]>;
}
