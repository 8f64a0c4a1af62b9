import { correction, generate } from 'lean-qr'
import { toPngDataURL } from 'lean-qr/extras/node_export'

/** In pixels. */
const SIZE = 256
/** The quiet zone for scanners, in modules. */
const QUIET = 4

/** Throws above a QR code's capacity. */
export function qrCodePicture(text: string) {
  const code = generate(text, { minCorrectionLevel: correction.M })
  const scale = Math.max(1, Math.floor(SIZE / (code.size + 2 * QUIET)))
  const margin = Math.floor((SIZE - code.size * scale) / 2)
  const toModule = (pixel: number) => Math.floor((pixel - margin) / scale)
  const pixels = { size: SIZE, get: (x: number, y: number) => code.get(toModule(x), toModule(y)) }
  return { src: toPngDataURL(pixels, { pad: 0, off: [255, 255, 255] }), width: SIZE, height: SIZE }
}
