/**
 * The built program with V8's profiler inside: asked by message, it profiles itself until it is asked
 * for what it has found.
 */

import { Session } from 'node:inspector/promises';

const samplingMicroseconds = 200;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: samplingMicroseconds });

process.on('message', async (message) => {
  if (message === 'start') {
    await session.post('Profiler.start');
    process.send?.('started');
  } else {
    const { profile } = await session.post('Profiler.stop');
    process.send?.(profile);
  }
});
process.on('disconnect', () => process.exit());

await import(new URL('../../dist/main.js', import.meta.url).href);
