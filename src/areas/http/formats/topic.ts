/** Formats: one record in each that clients parse, by Accept or by its address, in every charset. */

import { prefixOf, sentTargetOf } from '../../../http/address/sandbox-address.js';
import { originForm } from '../../../http/address/target.js';
import { addVary } from '../../../http/caching/caching.js';
import type { Reply } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import { isolatingHeaders } from '../../../http/isolating-headers.js';
import { notAcceptable } from '../../../http/negotiation/negotiate-type.js';
import { statusCompanions } from '../../../http/status/status-companions.js';
import type { Topic } from '../topic.js';
import { type Charset, encodeText, hasMark } from './charsets.js';
import { type ChosenFormat, negotiateFormat } from './negotiate-format.js';
import * as schemas from './schemas.js';
import { formatNames, typesOf, writeFormat } from './write-formats.js';

interface Options {
  readonly charset: Charset;
  readonly bom: boolean;
  readonly label: boolean;
}

export const formatsTopic: Topic = {
  name: 'formats',
  title: 'Formats',
  start: '/api/http/formats',
  summary: 'One record in nine formats and six charsets, and problem details.',

  collection: {
    leftOut: {
      getHttpFormatsProblem: 'It is a failure, which a collection would count as its own.',
    },
  },

  addRoutes(app) {
    app.get('/api/http/formats', { schema: schemas.negotiated }, async (request, reply) => {
      addVary(reply, 'Accept');
      const chosen = negotiateFormat(request.headers.accept);
      if (chosen === undefined) {
        const available = formatNames.flatMap((name) => typesOf(name));
        throw notAcceptable('Accept rules out all that there is.', available);
      }
      return write(reply, chosen, request.query);
    });
    app.get('/api/http/formats/:format', { schema: schemas.fixed }, async (request, reply) => {
      const { format: name } = request.params;
      return write(reply, { name, mediaType: typesOf(name)[0] ?? '' }, request.query);
    });
    app.get(
      '/api/http/formats/problem',
      { schema: schemas.problemDetails },
      async (request, reply) => {
        const { status } = request.query;
        const { raw } = request;
        const companions = statusCompanions(status, {
          location: `${prefixOf(raw)}/api/http/formats`,
          allow: ['GET', 'HEAD'],
          size: 0,
          isHttp11: raw.httpVersion === '1.1',
        });
        reply
          .code(status as 403)
          .headers(companions)
          .header('content-type', 'application/problem+json');
        const details = {
          type: `${prefixOf(raw)}/api/http/formats/problem`,
          title: 'You do not have enough credit.',
          status,
          detail: 'Your balance is 30, and this costs 50.',
          instance: originForm(sentTargetOf(raw)),
          balance: 30,
          accounts: ['/account/12345', '/account/67890'],
        };
        // As it is, whatever the schema of that status says.
        return Buffer.from(JSON.stringify(details));
      },
    );
  },
};

function write(
  reply: Reply,
  { name, mediaType }: ChosenFormat,
  { charset, bom, label }: Options,
): Buffer {
  if (bom && !hasMark(charset)) {
    const message = `There is no byte-order mark in ${charset}; UTF-8 and UTF-16 have one.`;
    throw new HttpError(400, message, { body: { errors: [{ field: 'bom', message }] } });
  }
  const { bytes, isText } = writeFormat(name, charset);
  if (bom && !isText) {
    const message = `${name} is no text, so that it has no byte-order mark.`;
    throw new HttpError(400, message, { body: { errors: [{ field: 'bom', message }] } });
  }
  const isLabelled = isText && label;
  reply
    .headers(isolatingHeaders)
    .header('content-type', isLabelled ? `${mediaType}; charset=${charset}` : mediaType);
  return typeof bytes === 'string' ? encodeText(bytes, charset, bom) : bytes;
}
