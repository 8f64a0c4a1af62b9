import { shareProduct, startProduct } from './kit/product.ts'

/** A journey with other settings starts its own product. */
// biome-ignore lint/style/noDefaultExport: Playwright expects a default export
export default async function setUp(): Promise<() => Promise<void>> {
  const product = await startProduct({ ADMIN_UI: 'on' })
  shareProduct(product)
  return () => product.stop()
}
