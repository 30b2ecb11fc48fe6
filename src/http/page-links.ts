/** Links to other pages of a list, by relation: RFC 8288. */

/** Returns the URLs of other pages, of which there is at least one. */
export function pageUrls(page: number, last: number, urlOf: (page: number) => string) {
  return urlsOf(
    {
      first: 1,
      // Beyond the end, `prev` is the last page with content.
      ...(page > 1 && { prev: Math.min(page - 1, last) }),
      ...(page < last && { next: page + 1 }),
      last,
    },
    urlOf,
  );
}

export function urlsOf(
  places: Readonly<Record<string, number>>,
  urlOf: (index: number) => string,
): Record<string, string> {
  const entries = Object.entries(places).map(([relation, index]) => [relation, urlOf(index)]);
  return Object.fromEntries(entries);
}

/** Writes URLs by relation as a Link header. */
export function linkHeader(urls: Readonly<Record<string, string>>): string {
  return Object.entries(urls)
    .map(([relation, url]) => `<${url}>; rel="${relation}"`)
    .join(', ');
}
