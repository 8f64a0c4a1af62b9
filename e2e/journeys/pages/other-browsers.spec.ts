import { few } from '@ostiary/identity/testing/input/sample'
import { coreJourney } from '../../kit/core-journey.ts'
import { test } from '../../kit/fixtures.ts'
import { otherBrowsers, patience, skipWithout } from '../../kit/other-browsers.ts'
import { visitorOf } from '../../kit/visitor.ts'

for (const [name, start] of few('other browsers', Object.entries(otherBrowsers), 1)) {
  test(`a user registers, signs in, changes the password and signs out in ${name}`, async ({
    product,
    user,
    inbox,
  }) => {
    test.setTimeout(patience)
    await using driver = await start('light')
    if (!driver) return skipWithout(name)
    await coreJourney({ visitor: visitorOf(driver, product.url), user, inbox })
  })
}
