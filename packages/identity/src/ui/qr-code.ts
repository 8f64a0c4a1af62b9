import { crc32, deflateSync } from 'node:zlib'
import { correction, generate } from 'lean-qr'

/** In pixels. */
const SIZE = 256
/** The quiet zone for scanners, in modules. */
const QUIET = 4

interface Picture {
  readonly src: string
  readonly width: number
  readonly height: number
}

/** Throws above a QR code's capacity. */
export function qrCodePicture(text: string): Picture {
  const png = toPng(paint(text))
  return { src: `data:image/png;base64,${png.toString('base64')}`, width: SIZE, height: SIZE }
}

/** A filter byte, then one bit per pixel; 1 is white. */
function paint(text: string): Buffer {
  const code = generate(text, { minCorrectionLevel: correction.M })
  const scale = Math.max(1, Math.floor(SIZE / (code.size + 2 * QUIET)))
  const margin = Math.floor((SIZE - code.size * scale) / 2)
  const lines = Buffer.alloc(LINE * SIZE, WHITE)
  for (let y = 0; y < code.size; y++) {
    const line = Buffer.from(WHITE)
    for (let x = 0; x < code.size * scale; x++) {
      const at = 1 + ((margin + x) >> 3)
      if (code.get(Math.floor(x / scale), y)) line[at] = (line[at] ?? 0) & ~(0x80 >> ((margin + x) & 7))
    }
    lines.fill(line, LINE * (margin + y * scale), LINE * (margin + (y + 1) * scale))
  }
  return lines
}

const LINE = 1 + SIZE / 8
const WHITE = Buffer.concat([Buffer.of(0), Buffer.alloc(SIZE / 8, 0xff)])

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Greyscale with one bit per pixel. RFC 2083. */
function toPng(lines: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIZE, 0)
  header.writeUInt32BE(SIZE, 4)
  header[8] = 1
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
