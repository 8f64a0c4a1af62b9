import { useNavigate } from 'react-router'
import { type Account, nameOf } from '../records.ts'
import { adminAccountTexts } from '../texts.ts'
import { ActionCard } from './action-card.tsx'
import { deleteAccount } from './change-account.ts'

const texts = adminAccountTexts.deletion

export function DeletionCard({ account }: { account: Account }) {
  const navigate = useNavigate()
  const name = nameOf(account)
  return (
    <ActionCard
      fact={texts.text}
      title={texts.title}
      button={texts.button}
      question={{ ask: texts.ask(name), consequence: texts.consequence }}
      run={() => deleteAccount(account.id)}
      onDone={() => navigate('/accounts', { state: { deleted: texts.deleted(name) } })}
    />
  )
}
