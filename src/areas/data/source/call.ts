/** One request to a source, with what handlers need for it. */

import type { Awaitable } from '../../../base/awaitable.js';
import type { Reply, Request } from '../../../http/exchange.js';
import type { Services } from '../../../kit/area.js';
import type { Query } from './faults.js';
import type { Records, Source } from './source.js';

export class Call {
  readonly source: Source;
  readonly request: Request;
  readonly reply: Reply;
  readonly services: Services;

  constructor(source: Source, request: Request, reply: Reply, services: Services) {
    this.source = source;
    this.request = request;
    this.reply = reply;
    this.services = services;
  }

  get query(): Query {
    return this.request.url.includes('?') ? (this.request.query as Query) : {};
  }

  get pathId(): string {
    return (this.request.params as { readonly id?: string }).id ?? '';
  }

  /** Reads records when everything that is due in the sandbox has been done. */
  read<Value>(read: (records: Records) => Awaitable<Value>): Awaitable<Value> {
    const { sandbox } = this.request;
    return this.services.dueWork.before(sandbox, () => read(this.source.recordsIn(sandbox)));
  }

  to(source: Source): Call {
    return new Call(source, this.request, this.reply, this.services);
  }
}

export type Handle = (call: Call) => Awaitable<unknown>;
