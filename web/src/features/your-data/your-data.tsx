export function YourData() {
  return null
}
