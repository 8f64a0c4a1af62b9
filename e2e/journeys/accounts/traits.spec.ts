import { overflow, violationsIn } from '../../kit/accessibility.ts'
import { addAuthenticator } from '../../kit/authenticator.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { heading } from '../../kit/screen.ts'
import { newUser } from '../../kit/users.ts'

test.describe.configure({ mode: 'default' })

const traits = {
  properties: {
    name: { type: 'string', title: 'Name' },
    birthday: { type: 'string', format: 'date', title: 'Birthday' },
    plan: { type: 'string', enum: ['free', 'team'], title: 'Plan' },
    terms: { type: 'boolean', const: true, title: 'I accept the terms' },
  },
  required: ['name', 'plan', 'terms'],
}

test('a user enters what the schema requires with a password, and the rest on the profile page', async ({
  page,
  productWithOther,
}) => {
  const { product, other } = await productWithOther(traits)
  const { email, password } = newUser()
  await page.goto(`${product.url}/register`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await expect(page.getByLabel('Birthday')).toBeHidden()
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await expect(page.getByRole('region', { name: '3 fields to correct:' })).toBeFocused()
  expect(await violationsIn(page)).toEqual([])
  expect(await overflow(page)).toBe(0)
  const { width } = (await page.getByLabel('Name').boundingBox())!
  expect((await page.getByLabel('Plan').boundingBox())!.width).toBe(width)
  await page.getByLabel('Plan').selectOption('team')
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('I accept the terms').check()
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await page.getByLabel('Code').fill(await other.code(email))
  await page.getByRole('link', { name: 'Go to Login' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(heading(page)).toHaveText('Dashboard Page')

  await page.goto(`${product.url}/settings`)
  await expect(page.getByRole('region', { name: 'Plan' })).toContainText('team')
  await page.getByRole('button', { name: 'Add Birthday' }).click()
  const birthday = page.getByRole('region', { name: 'Birthday' })
  await birthday.getByLabel('Birthday').fill('1990-05-17')
  await birthday.getByRole('button', { name: 'Save' }).click()
  await expect(birthday).toContainText('1990')
  await expect(birthday.getByText('Saved.')).toBeVisible()
  const plan = page.getByRole('region', { name: 'Plan' })
  await plan.getByRole('button', { name: 'Change Plan' }).click()
  await plan.getByLabel('Plan').selectOption('free')
  await plan.getByRole('button', { name: 'Save' }).click()
  await expect(plan.getByText('Saved.')).toBeVisible()
  await page.reload()
  await expect(plan).toContainText('free')
  await expect(page.getByRole('region', { name: 'Name' })).toContainText('Ada')
})

test('a passkey is created once everything required is entered', async ({ page, productWithOther }) => {
  const { product, other } = await productWithOther(traits)
  const { email } = newUser()
  const device = await addAuthenticator(page)
  await page.goto(`${product.url}/register`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Name').fill('Grace')
  await page.getByLabel('I accept the terms').check()
  const signUp = page.getByRole('button', { name: 'Sign up with a passkey' })
  await signUp.click()
  await expect(page.getByLabel('Plan')).toBeFocused()
  await expect(page.getByText('Please fill in this field.')).toBeVisible()
  expect(await device.count()).toBe(0)
  await page.getByLabel('Plan').selectOption('free')
  await signUp.click()
  await page.getByLabel('Code').fill(await other.code(email))
  await expect(heading(page)).toHaveText('Email Verified!')
  expect(await device.count()).toBe(1)
})
