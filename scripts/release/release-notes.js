/** Reads what the changelog says about a version, as the notes of its release. */

/**
 * Returns the notes. Throws if the changelog does not fit a release of the version: its section must be the newest,
 * nothing may be left under *Unreleased*, and each older section must be of a version that was published.
 *
 * @param {string} changelog
 * @param {string} version
 * @param {readonly string[]} published Versions that have a tag.
 */
export function releaseNotes(changelog, version, published) {
  const sections = changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [, title = '', text = ''] = /^(.*)\n?([\s\S]*)$/.exec(section) ?? [];
      return { name: title.split(' – ')[0] ?? '', text: text.trim() };
    });
  const notes = sections.find(({ name }) => name === version)?.text;
  if (notes === undefined) {
    throw new Error(`CHANGELOG.md has no section for ${version}. npm version creates it.`);
  }
  if (notes === '') throw new Error(`The section for ${version} in CHANGELOG.md is empty.`);
  const unreleased = sections.find(({ name }) => name === 'Unreleased')?.text ?? '';
  if (unreleased !== '') {
    throw new Error(
      `The section for ${version} in CHANGELOG.md is older than Unreleased, which has changes.`,
    );
  }
  const versions = sections.flatMap(({ name }) => (name === 'Unreleased' ? [] : [name]));
  if (versions[0] !== version) {
    throw new Error(`The newest section of CHANGELOG.md is ${versions[0]}; it must be ${version}.`);
  }
  const never = versions.slice(1).find((name) => !published.includes(name));
  if (never === undefined) return notes;
  throw new Error(
    `CHANGELOG.md has a section for ${never}, which has no tag: it was never published.`,
  );
}
