import assert from 'node:assert/strict'
import { openAdmin, openApp, openBrowser, refused } from '../callers.ts'
import { messageIds, submitRecovery } from '../forms.ts'
import { newEmail, PASSWORD, scenario, type Target, UNKNOWN_ID } from '../target.ts'
import { isSignedOut, newUser, refusalOf, signInApp, wrongCode } from '../users.ts'

export const operator = [
  scenario('the operator makes a user, who signs in with the password that came along', async (target) => {
    const { users } = openAdmin(target)
    const email = newEmail()
    const made = await users.createIdentity({
      createIdentityBody: {
        schema_id: 'default',
        traits: { email },
        credentials: { password: { config: { password: PASSWORD } } },
        metadata_public: { plan: 'free' },
        metadata_admin: { score: 7 },
      },
    })
    assert.deepEqual([made.state, made.traits], ['active', { email }])
    const found = await users.getIdentity({ id: made.id })
    assert.deepEqual([found.metadata_public, found.metadata_admin], [{ plan: 'free' }, { score: 7 }])
    const app = openApp(target)
    const session = await app.toSession({ xSessionToken: await signInApp(app, email) })
    assert.deepEqual(session.identity?.metadata_public, { plan: 'free' })
    assert.equal(session.identity?.metadata_admin, undefined, 'what is the operator’s stays inside')
  }),

  scenario('a user comes along with the hash of a password', async (target) => {
    const { users } = openAdmin(target)
    const email = newEmail()
    // "correct horse 9 battery", cost 4.
    const hashed_password = '$2b$04$C.cDNgGu9mZr/jC.YvLh/ufjJZ4YtHKhAUc2xfkvHcenGaPnUNtO.'
    await users.createIdentity({
      createIdentityBody: {
        schema_id: 'default',
        traits: { email },
        credentials: { password: { config: { hashed_password } } },
      },
    })
    assert.deepEqual(await refusalOf(target, email, 'not this one'), [4000006])
    assert.ok(await signInApp(openApp(target), email))
    assert.ok(await signInApp(openApp(target), email), 'and again, with the hash made anew')
  }),

  scenario('an address that is taken, and traits that do not fit, are refused', async (target) => {
    const { users } = openAdmin(target)
    const make = (traits: object) =>
      refused(users.createIdentity({ createIdentityBody: { schema_id: 'default', traits } }))
    assert.equal((await make({ email: await newUser(target) })).status, 409)
    assert.equal((await make({ email: 'not-an-address' })).status, 400)
  }),

  scenario('the operator finds a user by address', async (target) => {
    const { users } = openAdmin(target)
    const email = await newUser(target)
    const found = await users.listIdentities({ credentialsIdentifier: email })
    assert.deepEqual(
      found.map(({ traits }) => traits),
      [{ email }],
    )
    assert.deepEqual(await users.listIdentities({ credentialsIdentifier: newEmail() }), [])
  }),

  scenario('the operator changes a user as a whole and in part', async (target) => {
    const { users } = openAdmin(target)
    const { id, email } = await user(target)
    const patched = await users.patchIdentity({
      id,
      jsonPatch: [{ op: 'add', path: '/traits/name', value: 'Ada' }],
    })
    assert.deepEqual(patched.traits, { email, name: 'Ada' })
    const next = newEmail()
    const updateIdentityBody = { schema_id: 'default', state: 'active', traits: { email: next } } as const
    const updated = await users.updateIdentity({ id, updateIdentityBody })
    assert.deepEqual(updated.traits, { email: next })
    assert.ok(await signInApp(openApp(target), next))
    assert.deepEqual(await refusalOf(target, email, PASSWORD), [4000006])
  }),

  scenario('a batch makes users, and says which one it could not', async (target) => {
    const { users } = openAdmin(target)
    const taken = await newUser(target)
    const { identities = [] } = await users.batchPatchIdentities({
      patchIdentitiesBody: {
        identities: [newEmail(), taken].map((email) => ({
          create: { schema_id: 'default', traits: { email } },
        })),
      },
    })
    assert.deepEqual(
      identities.map(({ action }) => action),
      ['create', 'error'],
    )
  }),

  scenario('who is switched off is out, and comes back when switched on', async (target) => {
    const { users } = openAdmin(target)
    const { id, email } = await user(target)
    const app = openApp(target)
    const token = await signInApp(app, email)
    const become = (value: string) =>
      users.patchIdentity({ id, jsonPatch: [{ op: 'replace', path: '/state', value }] })
    assert.equal((await become('inactive')).state, 'inactive')
    assert.ok(await isSignedOut(app, token))
    assert.equal((await refused(signInApp(app, email))).status, 401)
    await become('active')
    assert.ok(!(await isSignedOut(app, token)))
  }),

  scenario('who is deleted is gone', async (target) => {
    const { users } = openAdmin(target)
    const { id, email } = await user(target)
    const app = openApp(target)
    const token = await signInApp(app, email)
    await users.deleteIdentity({ id })
    assert.ok(await isSignedOut(app, token))
    assert.equal((await refused(users.getIdentity({ id }))).status, 404)
    assert.equal((await refused(users.deleteIdentity({ id }))).status, 404)
    assert.deepEqual(await refusalOf(target, email, PASSWORD), [4000006])
  }),

  scenario('a user that is not there is not found', async (target) => {
    const { users } = openAdmin(target)
    assert.equal((await refused(users.getIdentity({ id: UNKNOWN_ID }))).status, 404)
    assert.equal((await refused(users.deleteIdentity({ id: UNKNOWN_ID }))).status, 404)
  }),

  scenario('the operator sees a session, makes it last and ends it', async (target) => {
    const { users } = openAdmin(target)
    const { id, email } = await user(target)
    const app = openApp(target)
    const token = await signInApp(app, email)
    const session = await app.toSession({ xSessionToken: token })
    const listed = await users.listIdentitySessions({ id, active: true })
    assert.deepEqual(
      listed.map((one) => one.id),
      [session.id],
    )
    assert.equal((await users.getSession({ id: session.id, expand: ['identity'] })).identity?.id, id)
    await users.extendSession({ id: session.id })
    await users.disableSession({ id: session.id })
    assert.ok(await isSignedOut(app, token))
    const again = await signInApp(app, email)
    await users.deleteIdentitySessions({ id })
    assert.ok(await isSignedOut(app, again))
  }),

  scenario('the operator lets a user in by a code for recovery', async (target) => {
    const { users } = openAdmin(target)
    const { id, email } = await user(target)
    const made = await users.createRecoveryCodeForIdentity({
      createRecoveryCodeForIdentityBody: { identity_id: id },
    })
    const { api } = openBrowser(target)
    const flow = await api.getRecoveryFlow({ id: new URL(made.recovery_link).searchParams.get('flow') ?? '' })
    assert.equal(flow.state, 'sent_email')
    const wrong = await submitRecovery(api, flow, { method: 'code', code: wrongCode(made.recovery_code) })
    assert.deepEqual(messageIds(wrong), [4060006])
    const right = await refused(submitRecovery(api, flow, { method: 'code', code: made.recovery_code }))
    assert.equal(right.status, 422)
    assert.equal((await api.toSession()).identity?.traits.email, email)
  }),

  scenario('the operator reads the mails that were sent', async (target) => {
    const { mails } = openAdmin(target)
    const recipient = await newUser(target)
    const [mail] = await mails.listCourierMessages({ recipient })
    assert.deepEqual(
      [mail?.type, mail?.template_type, mail?.recipient],
      ['email', 'verification_code_valid', recipient],
    )
    assert.equal((await mails.getCourierMessage({ id: mail?.id ?? '' })).recipient, recipient)
    assert.equal((await refused(mails.getCourierMessage({ id: UNKNOWN_ID }))).status, 404)
  }),

  scenario('the public side answers nothing of the operator’s', async (target) => {
    openAdmin(target)
    // Kratos redirects to the admin port.
    const answer = await fetch(`${target.publicUrl}/admin/identities`, { redirect: 'manual' })
    assert.ok(answer.status >= 300)
  }),
]

async function user(target: Target): Promise<{ id: string; email: string }> {
  const email = newEmail()
  const { id } = await openAdmin(target).users.createIdentity({
    createIdentityBody: {
      schema_id: 'default',
      traits: { email },
      credentials: { password: { config: { password: PASSWORD } } },
    },
  })
  return { id, email }
}
