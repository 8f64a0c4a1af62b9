import * as z from 'zod/mini'
import { linkTexts as texts } from './texts.ts'

/** The page checks it, and again the server. */
export const newLink = z.object({
  url: z.url({ protocol: /^https?$/, error: texts.noLink }).check(z.maxLength(2000, texts.longLink)),
})
