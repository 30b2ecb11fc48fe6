/** Marks the area that is being read in the list of areas. */

export function markPlace(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.rail a')].map((link) => [link.hash, link]),
  );
  // A line across the upper part of the window: what crosses it is being read.
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = links.get(`#${target.id}`);
        if (isIntersecting) link?.setAttribute('aria-current', 'true');
        else link?.removeAttribute('aria-current');
      }
    },
    { rootMargin: '-25% 0px -75% 0px' },
  );
  for (const area of document.querySelectorAll('.area')) observer.observe(area);
}
