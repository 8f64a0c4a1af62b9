import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { correction, generate } from 'lean-qr'
import { qrCodePicture } from './qr-code.ts'

const URL_OF_A_SECRET = `otpauth://totp/My%20App:${'a'.repeat(36)}?issuer=My%20App&secret=${'A'.repeat(32)}`

function decoded(src: string) {
  const png = Buffer.from(src.replace('data:image/png;base64,', ''), 'base64')
  const chunk = (type: string) => {
    const at = png.indexOf(type)
    return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4))
  }
  const lines = inflateSync(chunk('IDAT'))
  assert.deepEqual([...chunk('PLTE')], [255, 255, 255, 0, 0, 0])
  const isDark = (x: number, y: number) => ((lines[y * 33 + 1 + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), isDark }
}

test('an image has its stated size and a white border', () => {
  const picture = qrCodePicture(URL_OF_A_SECRET)
  const { width, height, isDark } = decoded(picture.src)
  assert.deepEqual([width, height], [256, 256])
  assert.deepEqual([picture.width, picture.height], [256, 256])
  assert.deepEqual([isDark(0, 0), isDark(255, 255), isDark(128, 3)], [false, false, false])
  assert.equal(qrCodePicture(URL_OF_A_SECRET).src, picture.src)
})

test('every module is where a scanner looks for it', () => {
  const code = generate(URL_OF_A_SECRET, { minCorrectionLevel: correction.M })
  const scale = Math.floor(256 / (code.size + 8))
  const margin = Math.floor((256 - code.size * scale) / 2)
  const { isDark } = decoded(qrCodePicture(URL_OF_A_SECRET).src)
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      const middle = (module: number) => margin + module * scale + (scale >> 1)
      assert.equal(isDark(middle(x), middle(y)), code.get(x, y))
    }
  }
})
