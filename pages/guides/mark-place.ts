/** Marks the current section in the table of contents. */

export function markPlace(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.here nav a')].map((link) => [
      decodeURIComponent(link.hash.slice(1)),
      link,
    ]),
  );
  const headings = [...document.querySelectorAll<HTMLElement>('article :is(h2, h3)[id]')];
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    const current = (passed.at(-1) ?? headings[0])?.id;
    for (const [id, link] of links) {
      if (id === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
  };
  // The section changes only when a heading enters or leaves the view.
  const observer = new IntersectionObserver(mark, { rootMargin: '-110px 0px 0px 0px' });
  for (const heading of headings) observer.observe(heading);
  // A table of contents that was opened over the page is closed after its use.
  const here = document.getElementById('guide-here');
  here?.addEventListener('click', ({ target }) => {
    if (target instanceof HTMLAnchorElement && here.matches(':popover-open')) here.hidePopover();
  });
  document.querySelector('.rail [aria-current]')?.scrollIntoView({ block: 'nearest' });
}
