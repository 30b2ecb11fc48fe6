/** Decides which pages of `docs/` are guides for users; the others are about the project itself. */

const ofProject = /^(?:decisions\/|contributing\/|(?:architecture|endpoints)$)/;

/** @param {string} name Of a page, such as `auth/basic` */
export function isGuide(name) {
  return !ofProject.test(name);
}
