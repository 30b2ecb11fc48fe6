import { once } from 'node:events';

/** The module that `startService` must preload for `inspect`. */
export const inspected = new URL('inspected.js', import.meta.url);

/**
 * Calls a method of the inspector in the process of a service, one call at a time.
 *
 * @param {import('./start-program.js').RunningProgram} service
 * @param {string} method
 * @param {object} [params]
 * @returns {Promise<any>}
 */
export async function inspect({ child }, method, params) {
  const replied = once(child, 'message');
  child.send({ method, params });
  const [result] = await replied;
  return result;
}
