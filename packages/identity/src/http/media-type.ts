import type { Http } from './request.ts'

/** The media type of the body, without parameters; empty if none is declared. */
export function mediaTypeOf(c: Http): string {
  return (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
