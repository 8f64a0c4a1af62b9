import { startCodeHost } from './kit/code-host.ts'
import { shareProduct, startProduct } from './kit/product.ts'

/** A journey with other settings starts its own product. */
// biome-ignore lint/style/noDefaultExport: Playwright expects a default export
export default async function setUp(): Promise<() => Promise<void>> {
  const codeHost = await startCodeHost()
  const product = await startProduct({ CODE_HOST_URL: codeHost.list, ADMIN_UI: 'on' })
  shareProduct(product, codeHost)
  return async () => {
    await product.stop()
    await codeHost.stop()
  }
}
