/**
 * Loads a package that the lab compares with. By a name that the type checker does not follow: the lab
 * is not always installed, and types of browsers would be put around ours.
 *
 * @param {string} name
 * @returns {Promise<any>}
 */
export function importPeer(name) {
  return import(name);
}
