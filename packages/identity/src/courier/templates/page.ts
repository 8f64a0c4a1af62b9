import type { Config } from '../../config/config.ts'

/** A paragraph, or a block. The text version of a button is its URL, so the paragraph before it says what it opens. */
export type Block =
  | string
  | { readonly list: readonly string[] }
  /** `/path` becomes a URL of the service's host. Schemes other than `http` and `https` are refused. */
  | { readonly button: string; readonly url: string }
  /** Small print. */
  | { readonly note: string }

/** The content of an email, before it is rendered as text and HTML. */
export interface Email {
  readonly subject: string
  /** Follows the subject in lists of emails. */
  readonly preheader?: string
  readonly title: string
  readonly body: readonly Block[]
  /** A language tag (BCP 47). Defaults to `courier.language`. */
  readonly lang?: string
  /** The last sentence. */
  readonly sentTo?: (address: string) => string
}

export interface Page extends Omit<Email, 'body'> {
  readonly body: readonly (Block | { readonly code: string })[]
}

export interface Letterhead {
  readonly app_name: string
  readonly language: string
  readonly colors: Config['courier']['colors']
  readonly font?: string | undefined
}

/** Inline styles, because some clients drop the style sheet. */
export function renderPage(
  { app_name, language, colors, font }: Letterhead,
  { subject, preheader, title, body, lang = language }: Page,
): string {
  const style = styles(colors, font)
  const page = html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>${darkStyles(colors)}</style>
</head>
<body class="page" style="${style.page}">
${preheader === undefined ? [] : html`<div style="${style.preheader}">${preheader}</div>\n`}<main class="card" style="${style.card}">
<p class="quiet" style="${style.brand}"><span class="button" style="${style.mark}" aria-hidden="true">${initialOf(app_name)}</span> ${app_name}</p>
<h1 style="${style.title}">${title}</h1>
${body.map((block) => html`${renderBlock(block, style)}\n`)}</main>
</body>
</html>
`
  return page.markup
}

/** Clients block images, so the mark is a letter. */
function initialOf(app_name: string): string {
  return [...app_name][0]?.toUpperCase() ?? ''
}

function renderBlock(block: Page['body'][number], style: Styles): Html {
  if (typeof block === 'string') return html`<p style="${style.text}">${withAddresses(block)}</p>`
  if ('list' in block)
    return html`<ul style="${style.list}">${block.list.map((item) => html`<li>${item}</li>\n`)}</ul>`
  if ('code' in block) return html`<p class="code" style="${style.code}">${block.code}</p>`
  if ('note' in block) return html`<p class="quiet" style="${style.note}">${withAddresses(block.note)}</p>`
  const { url, button } = block
  return html`<p style="${style.action}"><a class="button" href="${url}" style="${style.button}">${button}</a></p>`
}

/** An address moves to the next line before it breaks at a hyphen. Bounded, because a product's email may quote long texts. */
function withAddresses(text: string): Html[] {
  return text
    .split(/([^\s@]{1,64}@[^\s@]{0,254}[\p{L}\p{N}])/u)
    .map((part, index) =>
      index % 2 === 0
        ? html`${part}`
        : html`<span style="display:inline-block;max-width:100%">${part}</span>`,
    )
}

type Colors = Letterhead['colors']

type Styles = ReturnType<typeof styles>

/** Each colour contains a letter: email clients take six digits for a code. */
const styles = ({ accent, on_accent }: Colors, font: string | undefined) => ({
  page: `margin:0;padding:16px;background:#f8fafb;color:#111f24;font:16px/1.5 ${font ? `${font},` : ''}system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;-webkit-text-size-adjust:100%`,
  preheader: 'display:none;max-height:0;overflow:hidden',
  card: 'display:block;box-sizing:border-box;max-width:480px;margin:0 auto;padding:24px;background:#fff;border:1px solid #d8e0e2;border-radius:12px;overflow-wrap:anywhere',
  brand: 'margin:0 0 24px;font-size:14px;font-weight:600;color:#4b5b61',
  mark: `display:inline-block;width:28px;margin:0 6px 0 0;background:${accent};border-radius:7px;color:${on_accent};font-weight:700;line-height:28px;text-align:center`,
  title: 'margin:0 0 12px;font-size:22px;line-height:1.25;font-weight:600;letter-spacing:-.01em',
  text: 'margin:0 0 16px',
  list: 'margin:0 0 16px;padding:0 0 0 20px',
  code: 'margin:0 0 24px;padding:16px 8px;background:#edf3f4;border-radius:10px;text-align:center;font:600 28px/1.25 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;letter-spacing:.18em;text-indent:.18em',
  action: 'margin:0 0 24px',
  button: `display:block;padding:10px 16px;background:${accent};border-radius:10px;color:${on_accent};text-align:center;font-weight:600;text-decoration:none`,
  note: 'margin:0 0 8px;font-size:14px;color:#4b5b61',
})

const darkStyles = ({ dark_accent, dark_on_accent }: Colors): Html => ({
  markup: `
@media (prefers-color-scheme: dark) {
  .page { background: #0b1316 !important; color: #eaf0f1 !important }
  .card { background: #131d20 !important; border-color: #2a363a !important }
  .code { background: #1d292d !important }
  .quiet { color: #a3b1b4 !important }
  .button { background: ${dark_accent} !important; color: ${dark_on_accent} !important }
}
`,
})

export interface Html {
  readonly markup: string
}

type Value = string | number | Html | readonly Html[]

/** Escapes values for text and quoted attributes, but not nested markup. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const filled = parts.map((part, index) =>
    index === 0 ? part : interpolate(values[index - 1] ?? '') + part,
  )
  return { markup: filled.join('') }
}

function interpolate(value: Value): string {
  if (typeof value === 'object') return [value].flat().reduce((all, { markup }) => all + markup, '')
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
