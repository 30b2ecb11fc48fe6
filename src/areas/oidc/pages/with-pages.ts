/** Rejections as people see them: by a page, where a browser asks. */

import type { Reply, Request } from '../../../http/exchange.js';
import { HttpError } from '../../../http/http-error.js';
import { prefersPage } from '../../../http/prefers-page.js';
import { oauthBody } from '../oauth-error.js';
import { messagePage } from './pages.js';

export async function withPages(
  { headers }: Request,
  reply: Reply,
  response: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await response();
  } catch (error) {
    if (!(error instanceof HttpError) || !prefersPage(headers.accept)) throw error;
    const { status, message } = error;
    const { 'retry-after': seconds } = error.headers;
    if (seconds !== undefined) reply.header('retry-after', seconds);
    return messagePage('This request is rejected', message).send(reply, { status });
  }
}

export function strangeForm(): HttpError {
  const message =
    'This form is not one that this browser was shown in the last half hour. Begin again at the application, with cookies.';
  return new HttpError(403, message, { body: oauthBody('access_denied', message) });
}
