import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { coreJourney } from '../kit/core-journey.ts'
import { test } from '../kit/fixtures.ts'
import { type Driver, otherBrowsers, patience, skipWithout } from '../kit/other-browsers.ts'
import { visitorOf } from '../kit/visitor.ts'
import { folder, heights, pictureName, schemes, widths } from './folder.ts'

for (const [name, start] of Object.entries(otherBrowsers)) {
  for (const scheme of schemes) {
    test(`the main pages in ${name}, ${scheme}`, async ({ product, user, inbox }) => {
      test.setTimeout(patience)
      await using driver = await start(scheme)
      if (!driver) return skipWithout(name)
      const onPage = (page: string) => takePictures(driver, `${page} in ${name}`, scheme)
      await coreJourney({ visitor: visitorOf(driver, product.url), user, inbox, onPage })
    })
  }
}

async function takePictures(driver: Driver, state: string, scheme: string): Promise<void> {
  for (const width of widths) {
    await driver.resize(width, heights[width])
    const path = join(folder, pictureName(state, scheme, width))
    await writeFile(path, await driver.picture(), 'base64')
  }
}
