/** What makes a REST resource of a dataset. */

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject, TSchema } from 'typebox';
import type { RecordDeclaration } from '../../data/declare-record.js';
import type { DatasetName } from '../../data/records.js';
import type { App, Preset, Services } from '../../server/area.js';
import type { Example } from '../../server/example.js';
import type { Flow } from '../../server/request-collection.js';
import type { ResourceRecord } from './record-fields.js';

export interface Resource {
  /** The dataset that records come from; GraphQL shows the same ones. */
  readonly name: DatasetName;
  /** What people call all of them: `Events`. */
  readonly title: string;
  readonly path: string;
  /** One record, in words: `event`. */
  readonly noun: string;
  /** One line for the front page. */
  readonly summary: string;
  /** One to three requests that show the most, for the front page. */
  readonly examples: readonly Example[];
  /** Requests for the front page's console. */
  readonly presets?: readonly Preset[];
  /** What collections of requests do with it in an order. */
  readonly flows?: readonly Flow[];
  /** What a record holds. */
  readonly record: RecordDeclaration;
  /** Adds the paths that only this resource has. */
  readonly addViews?: (app: App, views: Views, services: Services) => void;
}

/** What views are made of. */
export interface Views {
  readonly recordSchema: TObject;
  /** What a list takes, to be described with what a view takes beside it. */
  readonly listParameters: Readonly<Record<string, TSchema>>;
  readonly all: (request: FastifyRequest) => Promise<readonly ResourceRecord[]>;
  /** Answers with the part of `records` that the query asks for. */
  readonly sendList: (
    request: FastifyRequest,
    reply: FastifyReply,
    view: {
      readonly records: readonly ResourceRecord[];
      readonly path: string;
      /** Parameters beside those of every list, which the view reads itself. */
      readonly alsoTaken?: readonly string[];
    },
  ) => FastifyReply;
  readonly sendRecord: (
    request: FastifyRequest,
    reply: FastifyReply,
    record: ResourceRecord,
  ) => FastifyReply;
}
