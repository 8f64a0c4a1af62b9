import { layoutTexts } from '../texts/layout.ts'

export function Footer() {
  return (
    <footer className="border-t border-line">
      <p className="page-width py-6 text-14 text-muted">{layoutTexts.footer}</p>
    </footer>
  )
}
