import { expect, test } from 'vitest';
import { nameOperation } from './name-operation.js';

test.each([
  ['GET', '/', 'getIndex'],
  ['GET', '/api', 'getApi'],
  ['GET', '/api/Events', 'getEvents'],
  ['PATCH', '/api/Events/:id', 'patchEventsById'],
  ['GET', '/api/auth/basic-hidden/:a/:b', 'getAuthBasicHiddenByAByB'],
  ['GET', '/images/photos/:id-thumbnail.svg', 'getImagesPhotosByIdThumbnailSvg'],
  ['GET', '/.well-known/oauth-authorization-server', 'getWellKnownOauthAuthorizationServer'],
  ['TRACE', '/api/webhooks/:binId/*', 'traceWebhooksByBinIdBySubPath'],
])('%s %s has the name %s', (method, path, name) => {
  expect(nameOperation(method, path)).toBe(name);
});
