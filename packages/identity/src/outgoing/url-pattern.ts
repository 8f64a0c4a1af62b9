/**
 * Whether a URL matches a pattern of `private_ip_exception_urls`, ignoring query and fragment. `*` and `?` stop at a
 * dot or a slash, `**` does not.
 */
export function matchesUrl(pattern: string, { origin, pathname }: URL): boolean {
  const source = pattern.replaceAll(/\*\*|[\s\S]/g, (part) => WILDCARDS[part] ?? RegExp.escape(part))
  return new RegExp(`^${source}$`).test(origin + pathname)
}

const WILDCARDS: Readonly<Record<string, string>> = { '**': '.*', '*': '[^./]*', '?': '[^./]' }
