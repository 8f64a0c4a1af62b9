import * as product from '../../../app.config.ts'

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

export const title = `<title>${escapeHtml(product.name)}</title>`
export const description = `content="${escapeHtml(product.description)}"`

/** Fills in the product where an HTML file says `%NAME%` or `%DESCRIPTION%`. */
export function nameProduct(html: string): string {
  return html
    .replaceAll('%NAME%', escapeHtml(product.name))
    .replaceAll('%DESCRIPTION%', escapeHtml(product.description))
}
