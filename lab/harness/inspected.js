/** Preloaded into a service (`--import`): calls the inspector as the parent process requests. */

import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();

process.on('message', async (/** @type {{method: any, params?: object}} */ { method, params }) => {
  process.send?.(await session.post(method, params));
});
process.channel?.unref();
