/** Rejections as people see them: a page, where a browser asks. */

import type { Reply } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import { prefersPage } from '../../../http/negotiation/read-preferences.js';
import { oauthBody } from '../../../http/oauth/oauth-error.js';
import type { Exchange } from '../exchange.js';
import { messagePage } from './pages.js';

export async function withPages(
  { request, reply }: Exchange,
  respond: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await respond();
  } catch (error) {
    if (!(error instanceof HttpError) || !prefersPage(request.headers.accept)) throw error;
    const { status, message } = error;
    const { 'retry-after': seconds } = error.headers;
    if (seconds !== undefined) reply.header('retry-after', seconds);
    return messagePage('This request is rejected', message).send(reply, { status });
  }
}

/** For a form that another browser was shown, or none. */
export function strangeForm(): HttpError {
  const message =
    'This form is not one that this browser was shown in the last half hour. Begin again at the application, with cookies.';
  return new HttpError(403, message, { body: oauthBody('access_denied', message) });
}
