import { type ReactNode, useState } from 'react'
import { useAuth } from '../../auth/use-auth.ts'
import { settingsFlow } from '../../flow/kinds.ts'
import { useFlow } from '../../flow/use-flow.ts'
import { Notice } from '../../ui/notice.tsx'
import { Connections, hasConnections } from './connections.tsx'
import { Devices } from './devices.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProfileForm } from './profile-form.tsx'

/** What a person can see and change of the own account. */
export function AccountSettings() {
  const settings = useFlow(settingsFlow)
  const [saved, setSaved] = useState<'name' | 'password' | 'connection'>()
  const { opened } = settings
  const flow = opened?.kind === 'flow' ? opened.flow : undefined
  const isSaved = flow?.state === 'success'
  const email = (useAuth().session?.identity?.traits as { email?: string } | undefined)?.email
  return (
    <div className="grid gap-10">
      {isSaved && !saved && <Notice tone="done">Your changes are saved.</Notice>}
      <Section title="Profile">
        <div>
          <p className="text-14 font-medium">Email</p>
          <p className="wrap-anywhere text-muted">{email}</p>
        </div>
        <ProfileForm settings={settings} onSaved={() => setSaved('name')} />
        {isSaved && saved === 'name' && <Notice tone="done">Your name is saved.</Notice>}
      </Section>
      <Section title="Password">
        <PasswordForm
          settings={settings}
          button={['Save password', 'Saving…']}
          onSaved={() => setSaved('password')}
        />
        {isSaved && saved === 'password' && <Notice tone="done">Your new password is set.</Notice>}
      </Section>
      {flow && hasConnections(flow) && (
        <Section title="Sign in with">
          <Connections settings={settings} flow={flow} onSaved={() => setSaved('connection')} />
          {isSaved && saved === 'connection' && <Notice tone="done">It is disconnected.</Notice>}
        </Section>
      )}
      <Section title="Signed-in devices">
        <Devices />
      </Section>
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-4">
      <h2 className="text-18">{title}</h2>
      {children}
    </section>
  )
}
