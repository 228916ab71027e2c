// The mark of the service, as an icon: three streams that become one.
export const FAVICON_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke-linecap="round" aria-hidden="true"><path d="M4 5c7 0 7 11 15 11" stroke="#8fd0de" stroke-width="4"/><path d="M4 16h15" stroke="#4aa8c0" stroke-width="4"/><path d="M4 27c7 0 7-11 15-11" stroke="#2f93ae" stroke-width="4"/><path d="M17 16h11" stroke="#0b7285" stroke-width="7"/></svg>';

/** In the page, so that it costs no request and works below a path of a proxy. */
export const FAVICON_URL = `data:image/svg+xml,${encodeURIComponent(FAVICON_SVG)}`;
