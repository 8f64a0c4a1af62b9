export function Footer() {
  return (
    <footer className="border-t border-line">
      <p className="page-width py-6 text-14 text-muted">© 2024 My App</p>
    </footer>
  )
}
