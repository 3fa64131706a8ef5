const LINK = /\/m\/([A-Za-z0-9._~-]+)\/?$/

/** The token of a login link, which ends in `/m/{token}` (L5); undefined when the text is no such link. */
export const linkToken = (link: string): string | undefined => LINK.exec(link.trim())?.[1]
