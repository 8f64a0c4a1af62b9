import { z } from 'zod'
import { askApi, assertScope, readApi } from './api.ts'
import type { ProviderKind } from './provider.ts'

const API = 'https://discord.com/api'

/** Discord supports only OAuth. */
export const discord: ProviderKind = {
  metadata: () => ({
    issuer: 'https://discord.com',
    authorization_endpoint: 'https://discord.com/oauth2/authorize',
    token_endpoint: `${API}/oauth2/token`,
  }),
  onlyProviderVerifies: true,
  hosts: ['discord.com'],
  scope: ({ scope }) => scope,
  // By default Discord asks for consent every time.
  parameters: (_config, refresh) => ({ prompt: refresh ? 'consent' : 'none' }),
  async claims(config, granted, fetch) {
    assertScope(config, granted)
    const response = await askApi(`${API}/v10/users/@me`, granted, fetch)
    const { id, username, global_name, avatar, locale, email, verified } = await readApi(
      config,
      '/users/@me',
      response,
      userReply,
    )
    return {
      iss: `${API}/oauth2/`,
      sub: id,
      name: global_name ?? username,
      nickname: username,
      preferred_username: username,
      picture: avatar ? `https://cdn.discordapp.com/avatars/${id}/${avatar}.png` : undefined,
      locale,
      email,
      email_verified: verified,
    }
  },
}

const text = z.string().nullish()
const userReply = z.object({
  // Users can change their name but not the number (SEC-26).
  id: z.string().regex(/^\d{1,20}$/),
  username: z.string(),
  global_name: text,
  avatar: text,
  locale: text,
  email: text,
  verified: z.boolean().nullish(),
})
