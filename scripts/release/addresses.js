/** The public addresses of the project. The owner writes one, `repository` of package.json; the others follow from it. */

const page = 'docs/contributing/release.md';

/**
 * Returns the addresses as package.json has them. Throws if there is no address, or if it is not the repository that
 * publishes: npm rejects a statement of provenance then.
 *
 * @param {{ readonly repository?: { readonly url?: string } }} project
 * @param {string | undefined} publisher The URL of the repository that publishes, if one does.
 */
export function addressesOf({ repository }, publisher) {
  const url = repository?.url;
  if (url === undefined) {
    throw new Error(`package.json has no repository. Write its address there, as ${page} says.`);
  }
  const [, home] = /^git\+(https:\/\/[^/]+\/[^/]+\/[^/]+?)\.git$/.exec(url) ?? [];
  if (home === undefined) {
    throw new Error(
      `repository.url of package.json must have the form git+https://HOST/OWNER/NAME.git; got ${url}.`,
    );
  }
  if (publisher !== undefined && publisher.toLowerCase() !== home.toLowerCase()) {
    throw new Error(`package.json names the repository ${home}, but ${publisher} publishes.`);
  }
  return { homepage: `${home}#readme`, bugs: { url: `${home}/issues` } };
}
