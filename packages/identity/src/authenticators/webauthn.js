// Connects a form to WebAuthn. Hidden fields carry the options and the response as JSON. Single-page apps may load this
// script repeatedly, but it initializes only once.
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a classic script has no other scope of its own
;(() => {
  if (!window.PublicKeyCredential || window.__oryWebAuthnInitialized) return

  const named = (name) => document.querySelector(`[name="${name}"]`)

  function toBytes(text) {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(binary, (character) => character.charCodeAt(0))
  }

  function toText(buffer) {
    const binary = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('')
    return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  }

  const withBytes = (list) => list?.map((one) => ({ ...one, id: toBytes(one.id) }))

  // Older user interfaces pass the content of `publicKey`.
  const inner = (options) => options.publicKey ?? options

  function requestOf(options) {
    const { challenge, allowCredentials, ...rest } = inner(options)
    const allowed = withBytes(allowCredentials)
    return { ...rest, challenge: toBytes(challenge), ...(allowed && { allowCredentials: allowed }) }
  }

  function creationOf(options) {
    const { challenge, user, excludeCredentials, ...rest } = inner(options)
    const excluded = withBytes(excludeCredentials)
    return {
      ...rest,
      challenge: toBytes(challenge),
      user: { ...user, id: toBytes(user.id) },
      ...(excluded && { excludeCredentials: excluded }),
    }
  }

  function answerOf({ id, rawId, type, response }) {
    const text = { clientDataJSON: toText(response.clientDataJSON) }
    if (response.attestationObject) text.attestationObject = toText(response.attestationObject)
    else {
      text.authenticatorData = toText(response.authenticatorData)
      text.signature = toText(response.signature)
      text.userHandle = response.userHandle ? toText(response.userHandle) : ''
    }
    return JSON.stringify({ id, rawId: toText(rawId), type, response: text })
  }

  // Submitting without a button sends no `method`, so the filled field identifies it.
  function send(credential, field, form) {
    field.value = answerOf(credential)
    form.submit()
  }

  async function get(options, more) {
    return await navigator.credentials.get({ publicKey: requestOf(options), ...more })
  }

  async function create(options) {
    return await navigator.credentials.create({ publicKey: creationOf(options) })
  }

  // Browsers handle one request at a time, so a pending autofill request is aborted. In a single-page app it may
  // outlive its form.
  function abortPending(reason) {
    window.abortPasskeyConditionalUI?.abort(reason)
    window.abortPasskeyConditionalUI = undefined
  }

  const withSecurityKey =
    (ask, field) =>
    async (options, resultSelector = `[name="${field}"]`, triggerSelector = `[name="${field}_trigger"]`) => {
      const result = document.querySelector(resultSelector)
      const trigger = document.querySelector(triggerSelector)
      if (!result || !trigger) {
        console.error(`The form has no ${result ? triggerSelector : resultSelector}.`)
        return
      }
      abortPending('A security key was asked for.')
      try {
        send(await ask(options ?? JSON.parse(trigger.value)), result, trigger.closest('form'))
      } catch (error) {
        alert(error)
      }
    }

  async function oryPasskeyLogin() {
    const challenge = named('passkey_challenge')
    const result = named('passkey_login')
    if (!challenge || !result) {
      console.error('The form has no passkey_challenge or no passkey_login.')
      return
    }
    abortPending('A passkey was asked for by the button.')
    try {
      send(await get(JSON.parse(challenge.value)), result, result.closest('form'))
    } catch (error) {
      console.error(error)
      await oryPasskeyLoginAutocompleteInit()
    }
  }

  async function suggestsPasskeys() {
    // A test runner that never responds would leave the browser waiting.
    if (window.Cypress) return false
    const supported = await window.PublicKeyCredential.isConditionalMediationAvailable?.()
    return supported === true
  }

  async function oryPasskeyLoginAutocompleteInit() {
    const challenge = named('passkey_challenge')
    const result = named('passkey_login')
    if (!challenge || !result || !named('identifier') || !(await suggestsPasskeys())) return
    abortPending('The suggestions were begun again.')
    const waiting = new AbortController()
    window.abortPasskeyConditionalUI = waiting
    try {
      const options = JSON.parse(challenge.value)
      const credential = await get(options, { mediation: 'conditional', signal: waiting.signal })
      send(credential, result, result.closest('form'))
    } catch (error) {
      if (!waiting.signal.aborted) console.error(error)
    }
  }

  async function makePasskey(resultName, optionsOf) {
    const data = named('passkey_create_data')
    const result = named(resultName)
    if (!data || !result) {
      console.error(`The form has no passkey_create_data or no ${resultName}.`)
      return
    }
    abortPending('A new passkey was asked for.')
    try {
      send(await create(optionsOf(JSON.parse(data.value), data)), result, result.closest('form'))
    } catch (error) {
      console.error(error)
    }
  }

  // The user types a name into the same form, so the service does not know it yet.
  function optionsForTypedName({ credentialOptions, displayNameFieldName }, data) {
    const { user, ...rest } = inner(credentialOptions)
    const typed = data.closest('form')?.querySelector(`[name="${displayNameFieldName}"]`)
    const name = typed?.value || user.name
    return { ...rest, user: { ...user, name, displayName: name } }
  }

  const oryPasskeyRegistration = () => makePasskey('passkey_register', optionsForTypedName)
  const oryPasskeySettingsRegistration = () => makePasskey('passkey_settings_register', (options) => options)

  // Older user interfaces call the names with underscores.
  window.oryWebAuthnLogin = window.__oryWebAuthnLogin = withSecurityKey(get, 'webauthn_login')
  window.oryWebAuthnRegistration = window.__oryWebAuthnRegistration = withSecurityKey(
    create,
    'webauthn_register',
  )
  window.oryPasskeyLogin = window.__oryPasskeyLogin = oryPasskeyLogin
  window.oryPasskeyLoginAutocompleteInit = window.__oryPasskeyLoginAutocompleteInit =
    oryPasskeyLoginAutocompleteInit
  window.oryPasskeyRegistration = window.__oryPasskeyRegistration = oryPasskeyRegistration
  window.oryPasskeySettingsRegistration = window.__oryPasskeySettingsRegistration =
    oryPasskeySettingsRegistration

  window.__oryWebAuthnInitialized = true
  window.dispatchEvent(new CustomEvent('oryWebAuthnInitialized'))
})()
