/** Responses of the status that the path asks for, or of one of several by weight. */

import { METHODS } from 'node:http';
import { HttpError } from '../../http/http-error.js';
import { chooseStatus, parseStatusChoices } from '../../http/status/status-choice.js';
import { statusCompanions } from '../../http/status/status-companions.js';
import type { Handler } from './lab.js';

/** Without a body, as there; with the headers that the status demands. */
export const giveStatus: Handler = (request, reply, { paths }) => {
  const { codes } = request.params as { readonly codes: string };
  const choices = parseStatusChoices(codes);
  if (choices === undefined) {
    const message =
      'The path must be a status from 200 to 599, or up to 20 of them separated by commas, each with a colon and a weight or without.';
    throw new HttpError(400, message, { body: { errors: [{ field: 'codes', message }] } });
  }
  const status = chooseStatus(choices, Math.random());
  const companions = statusCompanions(status, {
    location: paths.path(request, '/redirect/1'),
    allow: METHODS,
    size: 0,
    isHttp11: request.raw.httpVersion === '1.1',
  });
  return reply.code(status).headers(companions).send();
};
