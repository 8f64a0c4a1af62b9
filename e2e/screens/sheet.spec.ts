import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from '@playwright/test'
import { pages } from '../kit/core-journey.ts'
import { otherBrowsers } from '../kit/other-browsers.ts'
import { states } from '../states/states.ts'
import { folder, pictureName, schemes, widths } from './folder.ts'

const scale = 0.3
const elsewhere = Object.keys(otherBrowsers).flatMap((name) => pages.map((page) => `${page} in ${name}`))

test('all pictures on one sheet', async ({ page }) => {
  const file = join(folder, 'sheet.html')
  await writeFile(file, sheet())
  await page.setViewportSize({ width: 1760, height: 1000 })
  await page.goto(pathToFileURL(file).href)
  // Of hundreds of pictures.
  await page.screenshot({ path: join(folder, 'sheet.png'), fullPage: true, timeout: 50_000 })
})

function sheet(): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Every screen and state</title>
<style>
  body { margin: 24px; background: #8a8f94; font: 14px system-ui, sans-serif }
  h2 { margin: 20px 0 8px; font-size: 15px }
  div { display: flex; gap: 8px; align-items: flex-start }
</style>
${[...states.map(({ name }) => name), ...elsewhere].map(section).join('\n')}
</html>
`
}

function section(name: string): string {
  const pictures = schemes.flatMap((scheme) =>
    widths.map((width) => {
      const alt = `${name}, ${scheme}, ${width} px`
      return `<img src="${pictureName(name, scheme, width)}" width="${width * scale}" alt="${alt}">`
    }),
  )
  return `<h2>${name}</h2>\n<div>${pictures.join('')}</div>`
}
